import { styleText } from 'node:util'
import { renderUnicodeCompact } from 'uqr'

/** A link for the camera of a phone: black on white, whatever the colours of the terminal. */
export const qrCode = (link: string): string =>
  renderUnicodeCompact(link, { border: 2 })
    .split('\n')
    .map((line) => styleText('whiteBright', styleText('bgBlack', line)))
    .join('\n')
