import { type RefObject, useEffect, useRef, useState } from 'react'

interface FileEvents {
  isOn: boolean
  /** While files are on their way, nothing sends the answer without them. */
  isSending: boolean
  add: (files: readonly File[]) => void
  /** Called when the answer was held back. */
  onHeld: () => void
}

/** Takes files that are dropped on a question or pasted in it. Returns whether files are held over it. */
export function useFileEvents(within: RefObject<HTMLElement | null>, events: FileEvents): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(events)
  latest.current = events
  const { isOn, isSending } = events

  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is there once the effect runs
  useEffect(() => {
    const question = within.current?.closest<HTMLElement>('.sa-question')
    if (!isOn || !question) return
    const stop = new AbortController()
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ): void => question.addEventListener(type, listener, { signal: stop.signal })
    on('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    })
    on('dragleave', ({ relatedTarget }) => {
      if (!question.contains(relatedTarget as Node | null)) setOver(false)
    })
    on('drop', (event) => {
      setOver(false)
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      latest.current.add([...event.dataTransfer.files])
    })
    on('paste', (event) => {
      const { files, types } = event.clipboardData ?? {}
      // What has a text is a text: programs put a picture of it beside it.
      if (!files?.length || types?.includes('text/plain')) return
      event.preventDefault()
      latest.current.add([...files])
    })
    return () => {
      stop.abort()
      setOver(false)
    }
  }, [isOn])

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    const form = within.current?.closest('form')
    if (!isSending || !form) return
    const stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    const hold = (event: Event): void => {
      event.preventDefault()
      event.stopPropagation()
      latest.current.onHeld()
    }
    form.addEventListener('submit', hold, options)
    form.addEventListener(
      'click',
      (event) => {
        if ((event.target as Element).closest('[data-sends]')) hold(event)
      },
      options,
    )
    form.addEventListener(
      'keydown',
      (event) => {
        const isEnter = event.key === 'Enter' && !event.shiftKey && !event.isComposing
        if (isEnter && !(event.target as Element).closest('button')) hold(event)
      },
      options,
    )
    return () => stop.abort()
  }, [isSending])

  return isOver
}
