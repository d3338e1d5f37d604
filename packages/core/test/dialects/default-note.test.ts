import { describe, expect, it } from 'vitest'
import { noteOf, readNote } from '../../src/dialects/default-note.ts'

describe('a note of another system', () => {
  it('that is blank is no note, in either direction', () => {
    for (const notes of ['', ' ', '\n\t']) {
      expect(noteOf({ selected: [], source: 'human', notes })).toBeUndefined()
      expect(readNote(notes)).toEqual({ source: 'human' })
    }
    expect(readNote(undefined)).toEqual({ source: 'human' })
    expect(noteOf(undefined)).toBeUndefined()
  })

  it('keeps its words as they are', () => {
    expect(noteOf({ selected: [], source: 'human', notes: ' soon ' })).toBe(' soon ')
    expect(readNote(' soon ')).toEqual({ notes: ' soon ', source: 'human' })
  })

  it('says of a default that nobody chose it, and is read as that', () => {
    const note = noteOf({ selected: [], source: 'default', notes: 'mine' })
    expect(note).toBe('Nobody chose this: it is your own default.')
    expect(readNote(note)).toEqual({ source: 'default' })
  })
})
