import type { AskUserQuestionOutput, RunnerChannel } from '@sandagent/core'
import { type ModelFile, modelFiles } from '../../ask/attached-files.ts'
import { describeOutput } from '../../run/tool-result.ts'

/** Version 5 gives the output itself, later versions an object with it. */
export type GivenOutput = AskUserQuestionOutput | { toolCallId?: string; output: AskUserQuestionOutput }

/** The files of outputs of this process. Version 5 waits for nothing here, so they are read before. */
export type ShownFiles = WeakMap<AskUserQuestionOutput, readonly ModelFile[]>

/** The parts for images and documents, by the names that versions 5, and 6 and 7, have for them. */
type FilePart =
  | { type: 'media'; data: string; mediaType: string }
  | { type: 'image-data'; data: string; mediaType: string }
  | { type: 'file-data'; data: string; mediaType: string; filename: string }

type ModelOutput =
  | { type: 'text'; value: string }
  | { type: 'content'; value: ({ type: 'text'; text: string } | FilePart)[] }

/** What a model reads of an output: a text, and the images and PDF files that the person gave. */
export function modelOutput(
  given: GivenOutput,
  channel: RunnerChannel,
  shown: ShownFiles,
  // biome-ignore lint/suspicious/noExplicitAny: version 5 knows one of these types, later versions the other
): any {
  if (!('output' in given)) return outputWith(given, (shown.get(given) ?? []).map(mediaPart))
  const { output, toolCallId = '' } = given
  const hasFiles = Object.values(output.responses).some((response) => 'files' in response)
  if (!hasFiles) return outputWith(output, [])
  return modelFiles(channel, { toolCallId, responses: output.responses }).then((files) =>
    outputWith(output, files.map(dataPart)),
  )
}

const outputWith = (output: AskUserQuestionOutput, parts: readonly FilePart[]): ModelOutput => {
  const text = describeOutput(output)
  return parts.length === 0
    ? { type: 'text', value: text }
    : { type: 'content', value: [{ type: 'text', text }, ...parts] }
}

const mediaPart = ({ data, mediaType }: ModelFile): FilePart => ({ type: 'media', data, mediaType })

const dataPart = ({ data, mediaType, name, isImage }: ModelFile): FilePart =>
  isImage ? { type: 'image-data', data, mediaType } : { type: 'file-data', data, mediaType, filename: name }
