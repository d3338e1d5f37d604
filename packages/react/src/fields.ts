import {
  type AskedQuestion,
  allowsFreeText,
  type GivenResponse,
  optionValue,
  type QuestionOption,
  responseTo,
} from '@sandagent/core/internal'
import { useId, useRef } from 'react'
import type { UseAskUserQuestionReturn } from './use-ask-user-question.ts'

/** The attributes of the radio or the checkbox of an option. */
export interface ChoiceProps {
  type: 'radio' | 'checkbox'
  name: string
  value: string
  checked: boolean
  disabled: boolean
  'aria-invalid': true | undefined
  onChange(): void
  onKeyDown(): void
  onKeyUp(): void
}

/** The attributes of an `input` or a `textarea` for a typed answer. */
export interface TextFieldProps {
  value: string
  placeholder: string | undefined
  inputMode: 'decimal' | undefined
  disabled: boolean
  /** Where no typed answer is allowed. */
  hidden: boolean
  'aria-label': string
  'aria-invalid': true | undefined
  onChange(event: { target: { value: string } }): void
}

export interface Fields {
  /**
   * For the `input` of an option. The keys of a radio group check what they pass, so a key never sends the answer by itself. A
   * click does as `autoSubmit` says.
   */
  choice(question: AskedQuestion, option: QuestionOption): ChoiceProps
  /** For the field of a typed answer. Its name is the question: give it an `aria-label` of yours where it has a visible one. */
  textField(question: AskedQuestion): TextFieldProps
}

/** Makes the fields of a form of your own. Call it once for each form. */
export function useFields(ask: UseAskUserQuestionReturn): Fields {
  const { responses, isEditable } = ask
  // Two forms of a page may show the same question.
  const group = useId()
  // The change event itself does not tell: WebKit makes the same one for an arrow key and a label.
  const isKeyDown = useRef(false)
  const entered = (question: AskedQuestion): Partial<GivenResponse> => responseTo(responses, question) ?? {}
  const invalid = ({ id }: AskedQuestion): true | undefined => ask.stateOf(id) === 'invalid' || undefined
  return {
    choice(question, option) {
      const { id, multiSelect } = question
      const value = optionValue(option)
      return {
        type: multiSelect ? 'checkbox' : 'radio',
        name: group + id,
        value,
        checked: !!entered(question).selected?.includes(value),
        disabled: !isEditable,
        // A radio is never invalid, its group is.
        'aria-invalid': multiSelect ? invalid(question) : undefined,
        onChange() {
          ask.selectAnswer(id, value, multiSelect, {
            autoSubmit: isKeyDown.current && !multiSelect ? false : undefined,
          })
        },
        onKeyDown() {
          isKeyDown.current = true
        },
        onKeyUp() {
          isKeyDown.current = false
        },
      }
    },
    textField: (question) => ({
      value: entered(question).freeText ?? '',
      placeholder: question.placeholder,
      inputMode: question.typed?.kind === 'number' ? 'decimal' : undefined,
      hidden: !allowsFreeText(question),
      disabled: !isEditable,
      'aria-invalid': invalid(question),
      'aria-label': question.question,
      onChange: ({ target }) => ask.setFreeText(question.id, target.value),
    }),
  }
}
