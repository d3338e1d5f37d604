import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ATTACHMENT_FILE,
  ATTACHMENT_LIMITS,
  type Attachment,
  answersOf,
  attachmentFileName,
  attachmentName,
  describeOutcome,
  encodeAnswers,
  filesInWords,
  isAnswer,
  isRasterImage,
  mediaTypeOf,
  parseQuestions,
  sameResponses,
  validateResponses,
} from '../../../src/internal.ts'
import { parseResponses } from '../../parse-responses.ts'

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])
const file = (more: Partial<Attachment> = {}): Attachment => ({
  name: 'screen.png',
  mediaType: 'image/png',
  size: 10,
  sha256: 'a'.repeat(64),
  ...more,
})
const given = (...files: Attachment[]) => ({ q1: { selected: [], files, source: 'human' as const } })
const taking = (files: object, more: object = {}) => parseQuestions([{ question: 'Which?', files, ...more }])

describe('attachmentName', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\a.png', 'a.png'],
    ['a\u0000b.png', 'ab.png'],
    ['invoice\u202egnp.exe', 'invoicegnp.exe'],
    ['NUL.txt', '_NUL.txt'],
    ['com1', '_com1'],
    ['COM¹.txt', '_COM¹.txt'],
    ['lpt³', '_lpt³'],
    ['..∕etc⁄passwd／x', '_etc_passwd_x'],
    ['a⧵b＼c﹨d⧸e⧹f∖g', 'a_b_c_d_e_f_g'],
    ['...', 'file'],
    ['', 'file'],
    ['.bashrc', 'bashrc'],
    ['a. . .', 'a'],
    ['a<b>:"|?*.txt', 'a_b______.txt'],
    [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(60)}.pdf`],
    ['Screenshot 2026-11-27 um 10.00.png', 'Screenshot 2026-11-27 um 10.00.png'],
    ['写真.jpg', '写真.jpg'],
  ])('makes %j a name that is no path', (name, expected) => {
    expect(attachmentName(name)).toBe(expected)
  })

  it('changes no name that it made', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const name = attachmentName(text)
        expect(attachmentName(name)).toBe(name)
        expect(name).toMatch(/^[^/\\\p{C}\s.][^/\\\p{C}]*$/u)
        expect(name.length).toBeLessThan(140)
      }),
    )
  })
})

describe('mediaTypeOf', () => {
  it.each([
    [PNG, 'text/html', 'image/png'],
    [PNG, '', 'image/png'],
    [new TextEncoder().encode('<svg onload=alert(1)>'), 'image/png', 'application/octet-stream'],
    [new TextEncoder().encode('<html>'), 'text/html; charset=utf-8', 'text/html'],
    [new TextEncoder().encode('a,b'), 'TEXT/CSV', 'text/csv'],
    [new TextEncoder().encode('%PDF-1.7'), 'application/octet-stream', 'application/pdf'],
    [new Uint8Array(), '../../etc', 'application/octet-stream'],
  ])('believes the bytes before the claim', (bytes, claimed, expected) => {
    expect(mediaTypeOf(bytes, claimed)).toBe(expected)
  })

  it('names a file by its bytes alone, and in one way', () => {
    expect(attachmentFileName(file())).toBe(`${'a'.repeat(64)}.png`)
    for (const mediaType of ['text/html', 'image/svg+xml', 'constructor', '__proto__'])
      expect(attachmentFileName(file({ mediaType }))).toBe('a'.repeat(64))
    expect(attachmentFileName(file())).toMatch(ATTACHMENT_FILE)
    expect(isRasterImage(file({ mediaType: 'image/svg+xml' }))).toBe(false)
    expect(isRasterImage(file({ mediaType: 'application/pdf' }))).toBe(false)
  })
})

describe('a question that takes images', () => {
  it.each(['image/x-evil', 'image/svg+xml', 'image/heic'])(
    'takes no file that is only called %s',
    (mediaType) => {
      const faults = validateResponses(taking({ types: ['image/*'] }), given(file({ mediaType })), {
        final: true,
      })
      expect(faults).toEqual([{ path: 'responses.q1.files.0', expected: 'a file of the type image/*' }])
      expect(
        validateResponses(taking({ types: [mediaType] }), given(file({ mediaType })), { final: true }),
      ).toEqual([])
    },
  )
})

describe('files of a response', () => {
  it('are an answer, alone or beside an option', () => {
    expect(isAnswer(given(file()).q1)).toBe(true)
    expect(isAnswer(given().q1)).toBe(false)
    const [question] = taking({}, { options: [{ label: 'Yes' }] })
    const responses = { q1: { ...given(file()).q1, selected: ['Yes'] } }
    expect(
      validateResponses(taking({}, { options: [{ label: 'Yes' }] }), responses, { final: true }),
    ).toEqual([])
    expect(encodeAnswers([question as never], responses)).toEqual({ 'Which?': 'Yes' })
    expect(answersOf([question as never], responses).q1).toBe('Yes')
  })

  it('make a question answerable that takes nothing else', () => {
    const questions = taking({ types: ['image/*'] }, { allowFreeText: false })
    expect(validateResponses(questions, given(file()), { final: true })).toEqual([])
    expect(encodeAnswers(questions, filesInWords(given(file({ path: '/w/a.png' }))))).toEqual({
      'Which?': 'screen.png at /w/a.png',
    })
  })

  it.each([
    [undefined, [file()], 'no files: this question takes none'],
    [{ max: 1 }, [file(), file({ sha256: 'b'.repeat(64) })], 'at most 1 files'],
    [{ maxBytes: 9 }, [file()], 'a file of at most 0.009 kB'],
    [{ types: ['image/jpeg', 'text/*'] }, [file()], 'a file of the type image/jpeg, text/*'],
    [{}, [file(), file({ name: 'b.png' })], 'each file once'],
  ])('must fit the question: %j', (files, of, expected) => {
    const questions = parseQuestions([{ question: 'Which?', files }])
    const faults = validateResponses(questions, given(...of), { final: false })
    expect(faults.map((fault) => fault.expected)).toContain(expected)
  })

  it.each([
    { name: '../a' },
    { name: 'a\u202eb' },
    { name: '' },
    { mediaType: 'image' },
    { mediaType: 'text/html\r\nx: y' },
    { size: -1 },
    { size: ATTACHMENT_LIMITS.bytes + 1 },
    { size: 0.5 },
    { sha256: 'A'.repeat(64) },
    { sha256: '../..'.repeat(20) },
  ])('are refused when they are hostile: %j', (more) => {
    expect(() => parseResponses({ q1: { selected: [], files: [{ ...file(), ...more }] } })).toThrow()
  })

  it('are read without a path, which only the runner knows', () => {
    expect(parseResponses(given(file({ path: '/etc/passwd' })))).toEqual(given(file()))
  })

  it('become a note beside other words, for a system of words', () => {
    const responses = { q1: { ...given(file()).q1, selected: ['Yes'], notes: 'Look.' } }
    expect(filesInWords(responses)).toEqual({
      q1: { selected: ['Yes'], notes: 'Look.\nFiles: screen.png', source: 'human' },
    })
    expect(filesInWords({ q1: { skipped: true } })).toEqual({ q1: { skipped: true } })
  })

  it('tell answers apart', () => {
    const questions = taking({})
    expect(sameResponses(questions, given(file()), given(file()))).toBe(true)
    expect(sameResponses(questions, given(file()), given(file({ name: 'b.png' })))).toBe(false)
    expect(sameResponses(questions, given(), { q1: { selected: [], source: 'human' } })).toBe(true)
  })

  it('are described with the place of their bytes, or without one', () => {
    const facts = { kind: 'answered' as const, questions: taking({}), unanswered: [] }
    const text = describeOutcome({ ...facts, responses: given(file({ path: '/w/a.png' })) })
    expect(text).toContain('the file "screen.png" (image/png, 10 bytes, at /w/a.png)')
    expect(describeOutcome({ ...facts, responses: given(file()) })).toContain('not there any more')
  })
})

describe('the files that a question takes', () => {
  it.each([
    [{ max: 0 }],
    [{ max: ATTACHMENT_LIMITS.files + 1 }],
    [{ maxBytes: 1.5 }],
    [{ types: ['image'] }],
    [{ types: ['*/*'] }],
  ])('have limits that can be met: %j', (files) => {
    expect(() => taking(files)).toThrow()
  })
})
