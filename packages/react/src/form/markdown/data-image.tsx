import { type ReactElement, useState } from 'react'
import type { ImageSource } from './image-source.ts'

const ADDRESS_LENGTH = 80

interface DataImageProps {
  alt: string
  address: string
  /** `null` for an image that is not loaded. */
  image: ImageSource | null
}

/** An image of a preview. Its alternative text and its address stand in the place of one that is not loaded. */
export function DataImage({ alt, address, image }: DataImageProps): ReactElement {
  const [isBroken, setBroken] = useState(false)
  if (image && !isBroken)
    return (
      <img
        src={image.url}
        alt={alt}
        width={image.width}
        height={image.height}
        decoding="async"
        // The page's policy can forbid it.
        onError={() => setBroken(true)}
      />
    )
  const shown = address.length > ADDRESS_LENGTH ? `${address.slice(0, ADDRESS_LENGTH)}…` : address
  return (
    <>
      {alt} <bdi className="sa-address">({shown})</bdi>
    </>
  )
}
