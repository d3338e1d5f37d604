import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askToNotify, useQuestionNotification, useTitleBadge } from '../../src/index.ts'

let visibility: DocumentVisibilityState
const show = (state: DocumentVisibilityState): void => {
  visibility = state
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  document.title = 'My chat'
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the title badge', () => {
  const badge = (isWaiting: boolean) =>
    renderHook((waits: boolean) => useTitleBadge(waits), { initialProps: isWaiting })

  it('counts the questions that wait in a tab that nobody looks at', () => {
    const first = badge(true)
    expect(document.title).toBe('My chat')
    show('hidden')
    expect(document.title).toBe('(1) My chat')
    badge(true)
    badge(false)
    expect(document.title).toBe('(2) My chat')
    first.rerender(false)
    expect(document.title).toBe('(1) My chat')
    show('visible')
    expect(document.title).toBe('My chat')
  })

  it('leaves a title alone that the page has set meanwhile', () => {
    const { unmount } = badge(true)
    show('hidden')
    document.title = 'Another chat'
    show('visible')
    expect(document.title).toBe('Another chat')
    show('hidden')
    expect(document.title).toBe('(1) Another chat')
    unmount()
    expect(document.title).toBe('Another chat')
  })

  it('leaves no listener behind', () => {
    const added = vi.spyOn(document, 'addEventListener')
    const removed = vi.spyOn(document, 'removeEventListener')
    const first = badge(true)
    const second = badge(true)
    first.unmount()
    second.unmount()
    expect(removed.mock.calls).toEqual(added.mock.calls)
    show('hidden')
    expect(document.title).toBe('My chat')
  })
})

describe('the notification', () => {
  const shown: FakeNotification[] = []
  class FakeNotification {
    static permission: NotificationPermission = 'granted'
    static requestPermission = vi.fn(async () => FakeNotification.permission)
    onclick: (() => void) | null = null
    isClosed = false
    title: string
    options: NotificationOptions
    constructor(title: string, options: NotificationOptions) {
      this.title = title
      this.options = options
      shown.push(this)
    }
    close(): void {
      this.isClosed = true
    }
  }
  beforeEach(() => {
    shown.length = 0
    FakeNotification.permission = 'granted'
    FakeNotification.requestPermission.mockClear()
    vi.stubGlobal('Notification', FakeNotification)
  })

  const options = { toolCallId: 'call-1', title: 'The agent asks', body: 'Which language?' }
  const notifying = (isWaiting = true, isEnabled = true) =>
    renderHook((waits: boolean) => useQuestionNotification({ ...options, isWaiting: waits, isEnabled }), {
      initialProps: isWaiting,
    })

  it('tells of a question that arrives in a hidden tab, until it waits no more', () => {
    show('hidden')
    const { rerender } = notifying(false)
    expect(shown).toEqual([])
    rerender(true)
    expect(shown).toMatchObject([
      { title: options.title, options: { body: options.body, tag: 'sandagent call-1' } },
    ])
    rerender(true)
    expect(shown).toHaveLength(1)
    rerender(false)
    expect(shown[0]?.isClosed).toBe(true)
  })

  it('is taken back when somebody looks, and leads there by a click', () => {
    const focus = vi.spyOn(globalThis, 'focus').mockImplementation(() => {})
    notifying()
    expect(shown).toEqual([])
    show('hidden')
    expect(shown[0]?.isClosed).toBe(false)
    shown[0]?.onclick?.()
    expect(focus).toHaveBeenCalledOnce()
    show('visible')
    expect(shown[0]?.isClosed).toBe(true)
    show('hidden')
    expect(shown).toHaveLength(2)
  })

  it('is shown only to those who want it and permitted it, and asks nobody', () => {
    show('hidden')
    notifying(true, false)
    FakeNotification.permission = 'default'
    notifying()
    expect(shown).toEqual([])
    expect(FakeNotification.requestPermission).not.toHaveBeenCalled()
  })

  it('breaks no page where a browser has none, or only for service workers', () => {
    show('hidden')
    vi.stubGlobal('Notification', undefined)
    notifying()
    vi.stubGlobal(
      'Notification',
      Object.assign(
        function illegal() {
          throw new TypeError('Illegal constructor')
        },
        { permission: 'granted' },
      ),
    )
    notifying()
  })

  it('asks for permission when it is told to', async () => {
    expect(await askToNotify()).toBe(true)
    FakeNotification.permission = 'denied'
    expect(await askToNotify()).toBe(false)
    vi.stubGlobal('Notification', undefined)
    expect(await askToNotify()).toBe(false)
  })
})
