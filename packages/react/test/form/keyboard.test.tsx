import { fireEvent } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { FEATURES, LANGUAGE, LICENCE } from '../question-card.tsx'
import {
  button,
  completed,
  focused,
  keys,
  NAME,
  openForm,
  option,
  posts,
  press,
  serverForEach,
  stored,
  textbox,
} from './form-fixture.tsx'

serverForEach()

/** What browsers do for an arrow key in a radio group; jsdom does not. */
function arrowTo(next: HTMLInputElement): void {
  fireEvent.keyDown(focused() as Element, { key: 'ArrowDown' })
  next.focus()
  fireEvent.click(next)
}

describe('the only single choice', () => {
  it('is sent by a click', async () => {
    await openForm([LANGUAGE])
    await userEvent.click(option('Python'))
    expect((await stored(1))[0]).toMatchObject({
      status: 'completed',
      responses: { q1: { selected: ['Python'] } },
    })
  })

  it('is sent by a click on what arrow keys had checked', async () => {
    await openForm([LANGUAGE])
    option('TypeScript').focus()
    arrowTo(option('Python'))
    await stored(1)
    await userEvent.click(option('Python'))
    expect((await stored(2)).map((body) => body.status)).toEqual(['pending', 'completed'])
  })

  it('is not sent by a click that would leave typed words out, until the person has seen so', async () => {
    await openForm([LANGUAGE])
    await userEvent.type(textbox('Type your own answer: Which language?'), 'Python, but 3.14')
    await userEvent.click(option('Python'))
    expect(document.body.textContent).toContain('Kept, but not sent: an option is picked')
    await press('Send answer')
    expect((await completed()).responses).toMatchObject({ q1: { selected: ['Python'] } })
  })

  it('is moved and checked by arrow keys and Space, which send nothing', async () => {
    await openForm([LANGUAGE])
    option('TypeScript').focus()
    arrowTo(option('Python'))
    expect(option('Python').checked).toBe(true)
    expect((await stored(1))[0]?.status).toBe('pending')
    option('TypeScript').focus()
    await keys(' ')
    expect(option('TypeScript').checked).toBe(true)
    expect((await stored(2)).map((body) => body.status)).toEqual(['pending', 'pending'])
  })

  it.each([
    ['Enter', '{Enter}', 'TypeScript'],
    ['its number', '2', 'Python'],
  ])('is sent by %s', async (_, key, picked) => {
    await openForm([LANGUAGE])
    option('TypeScript').focus()
    await keys(key)
    expect((await stored(1))[0]).toMatchObject({
      status: 'completed',
      responses: { q1: { selected: [picked] } },
    })
  })

  it('waits for the button where autoSubmit is off, and Enter presses it', async () => {
    await openForm([LANGUAGE], { autoSubmit: false })
    await userEvent.click(option('Python'))
    expect((await stored(1))[0]?.status).toBe('pending')
    await press('Send answer')
    expect((await stored(2))[1]?.status).toBe('completed')
  })
})

describe('what the form says of it beforehand', () => {
  const says = (text: string): boolean => document.body.textContent?.includes(text) ?? false
  const hint = (): string =>
    [...document.querySelectorAll('.sa-shortcuts span')].map(({ textContent }) => textContent).join(', ')
  const hints = (text: string): Promise<void> => vi.waitFor(() => expect(hint()).toContain(text))

  it('is that a pick sends, where it does, and which key does', async () => {
    await openForm([LANGUAGE])
    expect(says('Pick one to send')).toBe(true)
    expect(hint()).toBe('')
    option('TypeScript').focus()
    await hints('Enter send')
    expect(hint()).toMatch(/^1–2\s?pick, /)
    await userEvent.type(textbox('Type your own answer: Which language?'), 'Zig')
    expect(says('to send')).toBe(false)
    expect(hint()).toBe('Enter send, Shift Enter new line, Esc decline')
    option('TypeScript').focus()
    await hints('Ctrl Enter send')
  })

  it('is nothing of the kind where it waits for the button', async () => {
    await openForm([LANGUAGE], { autoSubmit: false })
    expect(says('Pick one')).toBe(true)
    expect(says('to send')).toBe(false)
    option('TypeScript').focus()
    await hints('Ctrl Enter send')
  })

  it('comes with the last of several', async () => {
    await openForm([LANGUAGE, LICENCE])
    expect(says('to send')).toBe(false)
    option('TypeScript').focus()
    await hints('Enter go on')
    await userEvent.click(option('Python'))
    expect(option('MIT')).toBeTruthy()
    expect(says('Pick one to send')).toBe(true)
  })
})

describe('a multiple choice', () => {
  it('is toggled by Space and numbers, and checked by Enter: none of them sends', async () => {
    await openForm([FEATURES])
    option('Tests').focus()
    await keys('{Enter}')
    await stored(1)
    await keys(' ')
    await stored(2)
    await keys('2')
    expect((await stored(3)).map((body) => body.status)).toEqual(['pending', 'pending', 'pending'])
    expect([option('Tests').checked, option('README, with usage').checked]).toEqual([false, true])
    await keys('{Control>}{Enter}{/Control}')
    expect((await stored(4))[3]).toMatchObject({
      status: 'completed',
      responses: { q1: { selected: ['README, with usage'] } },
    })
  })

  it('is sent by Enter on what is checked already, which stays checked', async () => {
    await openForm([FEATURES])
    option('Tests').focus()
    await keys('12{Enter}')
    expect(await completed()).toMatchObject({
      responses: { q1: { selected: ['Tests', 'README, with usage'] } },
    })
  })

  it('is walked through by arrow keys', async () => {
    await openForm([FEATURES])
    option('Tests').focus()
    await keys('{ArrowDown}')
    expect(focused()).toBe(option('README, with usage'))
    await keys('{ArrowUp}')
    expect(focused()).toBe(option('Tests'))
    expect(posts()).toEqual([])
  })
})

describe('keys', () => {
  it('are letters and digits in a text field', async () => {
    await openForm([LANGUAGE])
    const own = textbox('Type your own answer: Which language?')
    await userEvent.type(own, '2 n')
    expect(own.value).toBe('2 n')
    expect(option('Python').checked).toBe(false)
  })

  it('do nothing outside the form', async () => {
    await openForm([LANGUAGE])
    document.body.focus()
    await keys('2{Enter}{Escape}n')
    expect(option('Python').checked).toBe(false)
    expect(posts()).toEqual([])
  })

  it('with Control, Command or Alt belong to the browser', async () => {
    await openForm([LANGUAGE])
    option('TypeScript').focus()
    await keys('{Control>}2{/Control}{Meta>}2{/Meta}{Alt>}2{/Alt}')
    expect(option('Python').checked).toBe(false)
  })

  it('lead to the words of one’s own by the number behind the last option, and to a note by n', async () => {
    await openForm([LANGUAGE])
    option('TypeScript').focus()
    await keys('3')
    expect(focused()).toBe(textbox('Type your own answer: Which language?'))
    option('TypeScript').focus()
    await keys('n')
    expect(focused()).toBe(textbox('Note: Which language?'))
  })

  it('that are held down count once', async () => {
    await openForm([FEATURES])
    fireEvent.keyDown(option('Tests'), { key: '1', repeat: true })
    fireEvent.keyDown(option('Tests'), { key: 'Enter', repeat: true })
    expect(option('Tests').checked).toBe(false)
  })

  it('that the form takes do not reach the page around it', async () => {
    const outside = vi.fn()
    document.addEventListener('keydown', outside)
    await openForm([LANGUAGE])
    option('TypeScript').focus()
    await keys('{Escape}')
    expect(outside).not.toHaveBeenCalled()
    document.removeEventListener('keydown', outside)
  })
})

describe('typed text', () => {
  it('is sent by Enter; Shift and Enter begin a line', async () => {
    await openForm([NAME])
    await userEvent.type(textbox('Which name?'), 'one{Shift>}{Enter}{/Shift}two{Enter}')
    expect(await completed()).toMatchObject({ responses: { name: { freeText: 'one\ntwo' } } })
  })

  it('is not sent by the Enter that ends a composition', async () => {
    await openForm([NAME])
    const field = textbox('Which name?')
    fireEvent.change(field, { target: { value: 'にほん' } })
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true })
    expect((await stored(1)).map((body) => body.status)).toEqual(['pending'])
    expect(document.body.textContent).not.toContain('Decline to answer')
    expect(button('Send answer')).toBeTruthy()
  })
})

describe('Enter', () => {
  it('sends no form in which nothing was entered, and leads to the button that does', async () => {
    await openForm([{ ...NAME, required: false }])
    textbox('Which name?').focus()
    await keys('{Enter}')
    await keys('{Control>}{Enter}{/Control}')
    expect(posts()).toEqual([])
    expect(focused()).toBe(button('Send answer'))
    await keys('{Enter}')
    expect((await completed()).responses).toEqual({})
  })
})

describe('Escape', () => {
  it('asks first, throws nothing away, and a second one goes back', async () => {
    await openForm([FEATURES, LICENCE], { layout: 'all' })
    await userEvent.click(option('Tests'))
    await stored(1)
    option('Tests').focus()
    await keys('{Escape}')
    expect(document.body.textContent).toContain('Decline, and leave out what you entered?')
    expect(focused()).toBe(button('Keep answering'))
    await keys('{Escape}')
    expect(document.body.textContent).not.toContain('leave out what you entered')
    expect(option('Tests').checked).toBe(true)
    expect(focused()).toBe(option('Tests'))
    expect(posts()).toHaveLength(1)
  })
})

describe('keys of the page, where several questions are shown', () => {
  const openAll = async (): Promise<void> => {
    await openForm([LANGUAGE, FEATURES], { layout: 'all', keys: 'page' })
    // The test before left a field that is gone: a click says that nobody types there any more.
    await userEvent.click(document.body)
  }

  it('lead to the first question that needs an answer, and pick from there', async () => {
    await openAll()
    expect(focused()).toBe(document.body)
    await keys('2')
    expect(focused()).toBe(option('TypeScript'))
    expect(posts()).toEqual([])
    await keys('2')
    expect((await stored(1))[0]).toMatchObject({ responses: { q1: { selected: ['Python'] } } })
    option('Python').blur()
    await keys('1')
    expect(focused()).toBe(option('Tests'))
    await keys('1')
    expect((await stored(2))[1]).toMatchObject({ responses: { q2: { selected: ['Tests'] } } })
  })

  it('do nothing while the form asks whether to decline', async () => {
    await openAll()
    await press('Decline')
    button('Keep answering').blur()
    await keys('2n')
    expect(button('Keep answering')).toBeTruthy()
    expect(focused()).toBe(document.body)
  })
})
