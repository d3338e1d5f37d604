import { type RefObject, useEffect, useRef, useState } from 'react'

/** Takes files that are dropped on a question or pasted in it. Returns whether files are held over it. */
export function useFileEvents(
  within: RefObject<HTMLElement | null>,
  isOn: boolean,
  add: (files: readonly File[]) => void,
): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(add)
  latest.current = add

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
      latest.current([...event.dataTransfer.files])
    })
    on('paste', (event) => {
      const { files, types } = event.clipboardData ?? {}
      // What has a text is a text: programs put a picture of it beside it.
      if (!files?.length || types?.includes('text/plain')) return
      event.preventDefault()
      latest.current([...files])
    })
    return () => {
      stop.abort()
      setOver(false)
    }
  }, [isOn])

  return isOver
}

/**
 * While files are on their way, nothing in the form sends the answer without them.
 *
 * @param enterSends whether Enter sends. In a step before the last it goes on
 */
export function useHold(
  within: RefObject<HTMLElement | null>,
  isSending: boolean,
  enterSends: boolean,
  onHeld: () => void,
): void {
  const latest = useRef(onHeld)
  latest.current = onHeld
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element is there once the effect runs
  useEffect(() => {
    const form = within.current?.closest('form')
    if (!isSending || !form) return
    const stop = new AbortController()
    const options = { capture: true, signal: stop.signal }
    const hold = (event: Event): void => {
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    form.addEventListener(
      'click',
      (event) => {
        if ((event.target as Element).closest('[data-sends]')) hold(event)
      },
      options,
    )
    if (enterSends) {
      form.addEventListener('submit', hold, options)
      form.addEventListener(
        'keydown',
        (event) => {
          const isEnter = event.key === 'Enter' && !event.shiftKey && !event.isComposing
          if (isEnter && !(event.target as Element).closest('button')) hold(event)
        },
        options,
      )
    }
    return () => stop.abort()
  }, [isSending, enterSends])
}
