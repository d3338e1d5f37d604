/** Width and height in pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** Reads the size from the first bytes of an image: PNG, JPEG, GIF, WebP, AVIF. `null` for everything else. */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = sizeIn(view)
    return size && size.width > 0 && size.height > 0 ? size : null
  } catch {
    return null // The file ends too early.
  }
}

function sizeIn(view: DataView): ImageSize | null {
  const start = view.getUint32(0)
  if (start === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (start >>> 8 === 0x474946) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (start >>> 16 === 0xffd8) return jpegSize(view)
  if (textAt(view, 0) === 'RIFF' && textAt(view, 8) === 'WEBP') return webpSize(view)
  if (textAt(view, 4) === 'ftyp') return avifSize(view)
  return null
}

/** The size stands in the first frame header. Before it there are segments with their lengths. */
function jpegSize(view: DataView): ImageSize | null {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
  }
  return null
}

function webpSize(view: DataView): ImageSize | null {
  switch (textAt(view, 12)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return {
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: (view.getUint32(26, true) >>> 8) + 1,
      }
    default:
      return null
  }
}

/** The largest of the sizes that an AVIF names: it can hold several images. */
function avifSize(view: DataView): ImageSize | null {
  let largest: ImageSize | null = null
  for (let at = 8; at + 16 <= view.byteLength; at++) {
    if (view.getUint32(at) !== 0x69737065) continue // ispe
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}

const textAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))
