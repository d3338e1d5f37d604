import { SECRET_TEXT } from '@sandagent/core/internal'

/** The texts of a field for a secret, in English. */
export const englishSecretLabels = {
  /** Below the field. */
  secretHint: SECRET_TEXT as string,
  /** In the empty field, while a secret is given. */
  secretGiven: 'Given. Type to replace it',
  /** The secret that was pasted has several lines, which the field cannot show. */
  secretLines: (lines: number): string => `Given: ${lines} lines`,
  showSecret: 'Show',
  hideSecret: 'Hide',
  removeSecret: 'Remove',
  /** In the place of the field. */
  cannotEncrypt:
    'This page cannot encrypt, so it takes no secret. Open it over https or on localhost, or answer in a terminal.',
}

export type SecretLabels = typeof englishSecretLabels
