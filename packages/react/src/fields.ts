import {
  type AskedQuestion,
  type AskSession,
  type AskSnapshot,
  allowsFreeText,
  type GivenResponse,
  optionValue,
  type QuestionOption,
  responseTo,
} from '@sandagent/core/internal'

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

/** Those of which a key is down. The change event itself does not tell: WebKit makes the same one for an arrow key and a label. */
const keyed = new WeakSet<AskSession>()

type Shown = Pick<AskSnapshot, 'responses' | 'states' | 'isEditable'>

/** @param group begins the names of the fields: two forms of a page may show the same question */
export function fieldsOf(
  session: AskSession,
  { responses, states, isEditable }: Shown,
  group: string,
): Fields {
  const entered = (question: AskedQuestion): Partial<GivenResponse> => responseTo(responses, question) ?? {}
  const invalid = ({ id }: AskedQuestion): true | undefined => states[id] === 'invalid' || undefined
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
          session.select(id, value, { autoSubmit: keyed.has(session) && !multiSelect ? false : undefined })
        },
        onKeyDown: () => keyed.add(session),
        onKeyUp: () => keyed.delete(session),
      }
    },
    textField: (question) => ({
      value: entered(question).freeText ?? '',
      placeholder: question.placeholder,
      inputMode: question.number && 'decimal',
      hidden: !allowsFreeText(question),
      disabled: !isEditable,
      'aria-invalid': invalid(question),
      'aria-label': question.question,
      onChange: ({ target }) => session.setFreeText(question.id, target.value),
    }),
  }
}
