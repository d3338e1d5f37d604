import { type Attachment, isRasterImage } from '@sandagent/core/internal'
import { type ReactElement, useEffect, useState } from 'react'
import { downloadFile } from '../../../../transport/upload-file.ts'
import type { FileLabels } from '../../../labels/file-labels.ts'
import { imageSize } from '../../../markdown/image-size.ts'
import type { AskForm } from '../../../state/ask-form.ts'

/** The largest image that is drawn, in pixels: a small file can hold an image that fills the memory. */
const MOST_PIXELS = 50_000_000

/** How much of a file has its size in pixels. */
const HEAD_BYTES = 262_144

/** A larger image is loaded only for a person who wants to see it. */
const MOST_UNASKED_BYTES = 1_000_000

const SIDE = 40

/** What this page has sent need not come back. */
const blobs = new Map<string, Blob>()
const MOST_BLOBS = 100

/** Remembers a file that was sent, for its thumbnail. */
export function rememberBlob({ sha256 }: Attachment, blob: Blob): void {
  if (blobs.size >= MOST_BLOBS) blobs.clear()
  blobs.set(sha256, blob)
}

/**
 * A small picture of an image, and a sign for every other file. The browser decodes the image alone: nothing of it is a page,
 * and formats that can hold programs are not among those.
 */
export function Thumbnail({
  file,
  form,
  labels,
}: {
  file: Attachment
  form: Pick<AskForm, 'ask' | 'options' | 'components'>
  labels: Pick<FileLabels, 'showImage'>
}): ReactElement {
  const [url, setUrl] = useState<string>()
  const [isWanted, setWanted] = useState(false)
  const { toolCallId } = form.ask
  const { options } = form
  const { sha256, mediaType, name, size } = file
  const isImage = isRasterImage(file)
  const mustAsk = isImage && !isWanted && size > MOST_UNASKED_BYTES && !blobs.has(sha256)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the file is its digest, and the options may change each time
  useEffect(() => {
    if (!isImage || mustAsk) return
    const stop = new AbortController()
    let made: string | undefined
    const load = async (): Promise<void> => {
      const blob = blobs.get(sha256) ?? (await downloadFile(options, toolCallId, { sha256 }, stop.signal))
      const head = new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer())
      const pixels = imageSize(head)
      if (stop.signal.aborted || !pixels || pixels.width * pixels.height > MOST_PIXELS) return
      made = URL.createObjectURL(new Blob([blob], { type: mediaType }))
      setUrl(made)
    }
    load().catch(() => {}) // The name stands beside it.
    return () => {
      stop.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [sha256, mediaType, toolCallId, mustAsk])
  const style = {
    inlineSize: SIDE,
    blockSize: SIDE,
    borderRadius: 6,
    flex: 'none',
    objectFit: 'cover' as const,
  }
  if (url !== undefined)
    return <img src={url} alt="" decoding="async" style={style} onError={() => setUrl(undefined)} />
  const sign = (
    <svg
      viewBox="0 0 24 24"
      style={{ ...style, padding: 8 }}
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
    >
      <path d="M6 2h8l5 5v15H6zM14 2v5h5" />
    </svg>
  )
  const { Button } = form.components
  if (!mustAsk) return sign
  return (
    <Button look="quiet" aria-label={labels.showImage(name)} onClick={() => setWanted(true)}>
      {sign}
    </Button>
  )
}
