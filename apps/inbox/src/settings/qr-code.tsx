import type { ReactElement } from 'react'
import { encode } from 'uqr'

/** A text for a camera. It is black on white in every look: many cameras read nothing else. */
export function QrCode({ text }: { text: string }): ReactElement {
  const { data, size } = encode(text, { border: 4 })
  const path = data
    .flatMap((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className="qr"
      role="img"
      aria-label="The link as a QR code"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
