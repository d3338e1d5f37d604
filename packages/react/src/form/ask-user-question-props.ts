import type { UseAskUserQuestionOptions } from '../use-ask-session.ts'
import type { AskBackLabels } from './labels/ask-back-labels.ts'
import type { AskLabels } from './labels/ask-labels.ts'
import type { AssumptionLabels } from './labels/assumption-labels.ts'
import type { FileLabels } from './labels/file-labels.ts'
import type { SecretLabels } from './labels/secret-labels.ts'
import type { TypedLabels } from './labels/typed-labels.ts'
import type { AskComponents, PreviewFormat } from './state/ask-form.ts'
import type { Overrides } from './state/override.ts'

export type AskUserQuestionProps = UseAskUserQuestionOptions & {
  /** `steps`: one question at a time, and a review at the end. `all`: all questions at once. Default `steps`. */
  layout?: 'steps' | 'all' | undefined
  /** How the agent writes the previews of options. HTML is shown in a sandboxed frame. Default `markdown`. */
  previewFormat?: PreviewFormat | undefined
  /** Texts in the place of the English ones. */
  labels?:
    | Overrides<AskLabels & AskBackLabels & AssumptionLabels & SecretLabels & TypedLabels & FileLabels>
    | undefined
  /** Parts in the place of the form's own. */
  components?: Overrides<AskComponents> | undefined
  /** Whether the browser shows a notification for a question in a hidden tab. See `askToNotify`. Default false. */
  notify?: boolean | undefined
  /**
   * Where shortcuts work. `form`: while the focus is in the form. `page`: number keys and `n` also work while nothing else on
   * the page takes keys; only the first waiting question listens. Where several questions are shown, the first key leads to
   * the one that needs an answer. Default `form`.
   */
  keys?: 'form' | 'page' | undefined
  className?: string | undefined
}
