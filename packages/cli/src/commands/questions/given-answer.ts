import { text } from 'node:stream/consumers'
import {
  type AnswerRequest,
  type AskedQuestion,
  type Attachment,
  bareText,
  checkEntered,
  type InputChange,
  inputChanges,
  optionFor,
  optionValue,
  parseAnswerRequest,
  parseJson,
  type QuestionView,
} from '@sandagent/core/internal'
import { usage } from '../../arguments/option-values.ts'
import { suggestion } from '../../arguments/suggestion.ts'
import type { CliIo } from '../../io.ts'
import type { GivenAnswer } from './answer-args.ts'

/**
 * Reads `--json`. `-` stands for standard input.
 *
 * @param id the question that the command line names
 * @returns the answer, and whether it names its question itself
 * @throws AskError `INVALID_REQUEST` with every fault
 */
export async function readJsonAnswer(
  json: string,
  id: string | undefined,
  { stdin }: Pick<CliIo, 'stdin'>,
): Promise<{ toolCallId?: string; isNamed: boolean; answer: Omit<AnswerRequest, 'toolCallId'> }> {
  const input = parseJson(json === '-' ? await text(stdin) : json, 'INVALID_REQUEST', 'This is no answer')
  const named: unknown = Object(input).toolCallId
  if (id !== undefined && typeof named === 'string' && named !== id)
    throw usage(`The answer is for ${named}, not for ${id}`)
  const { toolCallId, ...answer } = parseAnswerRequest({
    ...Object(input),
    toolCallId: named ?? id ?? 'unnamed',
  })
  return { answer, isNamed: named !== undefined, ...((id ?? named) !== undefined && { toolCallId }) }
}

/** Reads `--input`. `-` stands for standard input. @throws AskError `INVALID_REQUEST` for what is no JSON */
export async function readInput(json: string, { stdin }: Pick<CliIo, 'stdin'>): Promise<unknown> {
  return parseJson(json === '-' ? await text(stdin) : json, 'INVALID_REQUEST', 'This is no input of a call')
}

/** Allows a call with an edited input. @throws AskError `INVALID_REQUEST` for a question that asks for no such call */
export function editOf(
  input: unknown,
  { toolCallId, questions, questionDigest, subject, rule }: QuestionView,
): { request: AnswerRequest; changes: InputChange[] } {
  const [question] = questions
  const option = optionFor(question, 'allowOnce')
  if (!option && subject?.editable && rule?.passkey)
    throw usage(`Allowing ${toolCallId} needs a passkey: edit it on the page of the inbox, or deny it here`)
  if (!question || !option || !subject?.editable) {
    const labels = (question?.options ?? []).map(({ label }) => label)
    const way = labels.length > 0 ? `--option: ${labels.join(', ')}` : '--text'
    throw usage(`${toolCallId} is no call that may be edited. Answer it by ${way}`)
  }
  const response = { selected: [optionValue(option)], input, source: 'human' as const }
  return {
    request: { toolCallId, questionDigest, status: 'completed', responses: { [question.id]: response } },
    changes: inputChanges(subject.input, input),
  }
}

/**
 * What an answer by options means for a question.
 *
 * @param give stores files
 * @throws AskError `INVALID_REQUEST` if it cannot be an answer to it, `INVALID_ANSWERS` if it does not fit
 */
export async function requestOf(
  given: Exclude<GivenAnswer, { kind: 'json' | 'edited' | 'secret' }>,
  { toolCallId, questions, questionDigest, rule }: QuestionView,
  give: (question: AskedQuestion, paths: readonly string[]) => Promise<Attachment[]>,
): Promise<AnswerRequest> {
  const request = { toolCallId, questionDigest }
  if (given.kind === 'declined') {
    const { reason, asksBack } = given
    return { ...request, status: 'declined', reason, asksBack }
  }
  const [question, ...others] = questions
  if (!question || others.length > 0)
    throw usage(`${toolCallId} asks ${questions.length} questions: answer them by --json, or in the form`)
  if (question.secret)
    throw usage(
      'A secret does not stand in a command, which others can read: give it by --secret, in the form, or on the page',
    )
  const options = question.options ?? []
  const selected = given.labels.map((label) => {
    // A value of one option can be the label of another one. People name what they see: the label.
    const option =
      options.find((known) => known.label === label) ?? options.find((known) => optionValue(known) === label)
    const known = options.map((one) => one.label)
    if (!option) {
      const others = suggestion(label, known) || `. There are: ${known.join(', ')}`
      const onPage = rule?.passkey ? '. What allows the call needs a passkey: allow it on the page' : ''
      throw usage(`There is no option ${label}${others}${onPage}`)
    }
    return optionValue(option)
  })
  const files = given.files.length > 0 ? await give(question, given.files) : []
  const response = {
    selected,
    ...(files.length > 0 && { files }),
    freeText: given.text && bareText(question, given.text),
    source: 'human' as const,
  }
  const responses = { [question.id]: response }
  checkEntered([question], responses)
  return { ...request, status: 'completed', responses }
}
