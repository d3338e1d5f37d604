// Written from the document of Claude's tool alone: a call as a model makes it, and how its result is read.

/** A call with one question per entry: its text, its labels, and whether several may be picked. */
export const toolInput = (
  ...asked: readonly (readonly [question: string, labels: readonly string[], multiSelect: boolean])[]
) => ({
  questions: asked.map(([question, labels, multiSelect]) => ({
    question,
    header: question.slice(0, 12),
    options: labels.map((label) => ({ label, description: `This is ${label}.` })),
    multiSelect,
  })),
})

/** The answer to each question, in the order asked. */
export function readAnswers(
  input: ReturnType<typeof toolInput>,
  output: { answers: Record<string, string> },
): (string | undefined)[] {
  return input.questions.map(({ question }) => output.answers[question])
}
