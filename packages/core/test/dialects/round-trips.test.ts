import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as agentrail from '../../src/dialects/agentrail/index.ts'
import * as claude from '../../src/dialects/claude/index.ts'
import * as cognipeer from '../../src/dialects/cognipeer/index.ts'
import * as harness from '../../src/dialects/harness/index.ts'
import { type AskedQuestion, isAnswer, isRequired } from '../../src/internal.ts'
import {
  answeredWithin,
  answersIn,
  asByHuman,
  kept,
  type Limits,
  plain,
  questionsWithin,
  sent,
  submitted,
  withoutNotes,
  withTrimmedText,
} from './pairs.ts'

const LIMITS = {
  claude: { questions: 4, options: [2, 4], needsOptions: true, needsDistinctTexts: true },
  agentrail: { questions: 1, options: [1, 6] },
  cognipeer: { questions: 4, options: [2, 12] },
  harness: { questions: 6, options: [1, 8] },
} satisfies Record<string, Limits>

describe('questions that go to a system and come back', () => {
  it('as Claude’s lose ids, values, placeholders, defaults, and whether an answer is needed or may be typed', () => {
    fc.assert(
      fc.property(questionsWithin(LIMITS.claude), (questions) => {
        const back = claude.parseRequest(sent(claude.formatRequest(questions)))
        expect(back.map(plain)).toEqual(
          questions.map((each) => plain(kept(each, ['header', 'multiSelect'], ['description', 'preview']))),
        )
      }),
    )
  })

  it('as AgentRail’s lose headers, values, descriptions, previews, defaults, and whether an answer is needed', () => {
    fc.assert(
      fc.property(questionsWithin(LIMITS.agentrail), (questions) => {
        const expected = questions.map((each) =>
          plain(kept(each, ['placeholder', 'multiSelect', 'allowFreeText'], [])),
        )
        const request = agentrail.parseRequest(sent(agentrail.formatRequest(questions)))
        expect(request.map(plain)).toEqual(expected)
        const event = agentrail.formatEvent({ toolCallId: 'call-1', questions })
        expect(agentrail.parseRequest(sent(event)).map(plain)).toEqual(expected)
      }),
    )
  })

  it('as Cognipeer’s lose defaults, the format and recommendations', () => {
    fc.assert(
      fc.property(questionsWithin(LIMITS.cognipeer), fc.boolean(), (asked, allowFreeText) => {
        const questions = asked
          .filter(({ options }) => options || allowFreeText)
          .map((each) => ({ ...each, allowFreeText }))
        fc.pre(questions.length > 0)
        const back = cognipeer.parseRequest(sent(cognipeer.formatRequest(questions)), { allowFreeText })
        expect(back.map(withoutId).map(plain)).toEqual(
          questions
            .map((each) =>
              kept(
                each,
                ['header', 'multiSelect', 'allowFreeText', 'placeholder', 'required'],
                ['value', 'description', 'preview'],
              ),
            )
            .map(withoutId)
            .map(plain),
        )
      }),
    )
  })

  it('as the harness’ lose placeholders and defaults, and all are optional where one is', () => {
    fc.assert(
      fc.property(questionsWithin(LIMITS.harness), (questions) => {
        const required = questions.every(isRequired)
        const back = harness.parseRequest(sent(harness.formatRequest(questions)))
        expect(back.map(plain)).toEqual(
          questions.map((each) =>
            plain({
              ...kept(each, ['header', 'multiSelect', 'allowFreeText'], ['value', 'description', 'preview']),
              required,
            }),
          ),
        )
      }),
    )
  })
})

const withoutId = (question: AskedQuestion): AskedQuestion => ({ ...question, id: '' })

describe('responses that go to a system and come back', () => {
  it('as Claude’s lose nothing', () => {
    fc.assert(
      fc.property(
        answeredWithin(LIMITS.claude),
        fc.boolean(),
        ({ questions, responses }, takesUnanswered) => {
          const result = claude.formatResult(submitted(questions, responses), { takesUnanswered })
          fc.pre('output' in result)
          expect(claude.parseAnswer(questions, sent('output' in result && result.output))).toEqual({
            status: 'completed',
            responses,
          })
        },
      ),
    )
  })

  it('as AgentRail’s lose notes, the space around typed words, and that a default stood in', () => {
    fc.assert(
      fc.property(answeredWithin(LIMITS.agentrail), ({ questions, responses }) => {
        const answer = agentrail.formatAnswer(submitted(questions, responses))
        fc.pre(answer !== null)
        const back = agentrail.parseAnswer(questions, sent(answer))
        expect(answersIn(back.responses, withTrimmedText)).toEqual(
          answersIn(responses, (each) =>
            isAnswer(each) ? withTrimmedText(withoutNotes(asByHuman(each))) : null,
          ),
        )
      }),
    )
  })

  it('as Cognipeer’s lose which optional questions were skipped, and the space around typed words', () => {
    fc.assert(
      fc.property(answeredWithin(LIMITS.cognipeer), ({ questions, responses }) => {
        const resolution = cognipeer.formatAnswer(submitted(questions, responses))
        fc.pre(!resolution.cancelled)
        expect(cognipeer.parseAnswer(questions, sent(resolution))).toEqual({
          status: 'completed',
          responses: answersIn(responses, (each) => (isAnswer(each) ? withTrimmedText(each) : null)),
        })
      }),
    )
  })

  it('as Cognipeer’s are cancelled where a required question has none, and the model reads them in words', () => {
    fc.assert(
      fc.property(answeredWithin(LIMITS.cognipeer), ({ questions, responses }) => {
        const outcome = submitted(questions, responses)
        const unmet = questions.some((each) => isRequired(each) && !isAnswer(responses[each.id]))
        fc.pre(unmet && outcome.kind !== 'declined')
        const text = JSON.stringify(cognipeer.formatResult(outcome))
        for (const each of questions)
          if (isAnswer(responses[each.id]))
            expect(text).toContain(JSON.stringify(JSON.stringify(each.question)).slice(1, -1))
      }),
    )
  })

  it('as the harness’ lose notes and that a default stood in, and every question without an answer was skipped', () => {
    fc.assert(
      fc.property(answeredWithin(LIMITS.harness), ({ questions, responses }) => {
        const outcome = submitted(questions, responses)
        fc.pre(outcome.kind !== 'declined')
        expect(harness.parseAnswer(questions, sent(harness.formatResult(outcome)))).toEqual({
          status: 'completed',
          responses: {
            ...Object.fromEntries(outcome.unanswered.map((id) => [id, { skipped: true }])),
            ...answersIn(responses, (each) => (isAnswer(each) ? withoutNotes(asByHuman(each)) : null)),
          },
        })
      }),
    )
  })
})
