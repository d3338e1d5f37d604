import { readMessages } from '@sandagent/ai-sdk'
import { connection } from 'next/server'
import { Suspense } from 'react'
import { Chat } from './chat'

async function SavedChat() {
  await connection() // Not while the app is built.
  const owner = process.env.NODE_ENV === 'development' ? 'me' : null // Your sign-in goes here, too.
  if (!owner) return 'Sign in first'
  return <Chat saved={await readMessages({ folder: 'workspace', chatId: 'first', owner })} />
}

export default function Page() {
  return (
    <Suspense>
      <SavedChat />
    </Suspense>
  )
}
