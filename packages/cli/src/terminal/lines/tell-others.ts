import { type AskSession, printableLine, questionTitle } from '@sandagent/core/internal'
import { answerText } from '../answer-text.ts'
import { exchangeText } from './lines-texts.ts'

/** Says what was asked back before, what other people enter, and that more can be allowed: each once. */
export function tellOthers(session: AskSession, say: (text: string) => void): () => void {
  const told = new Set<string>()
  const tellOnce = (text: string): void => {
    if (!told.has(text)) say(text)
    told.add(text)
  }
  const tell = (): void => {
    const { others, questions, thread, view } = session.getSnapshot()
    if (view?.scopes) tellOnce('/more lists what you can allow beyond this call.')
    for (const exchange of thread) tellOnce(exchangeText(exchange))
    for (const { name = 'Somebody else', responses, hasVoted } of others)
      for (const question of questions) {
        const entered = answerText(question, responses)
        if (entered === null) continue
        const what = hasVoted ? 'voted' : 'entered'
        tellOnce(
          `${printableLine(name)} has ${what} ${entered} for: ${printableLine(questionTitle(question))}`,
        )
      }
  }
  tell()
  return session.subscribe(tell)
}
