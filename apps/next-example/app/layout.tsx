import '@sandagent/react/styles.css'
import './globals.css'
import type { Metadata } from 'next'
import type { ReactElement, ReactNode } from 'react'

export const metadata: Metadata = {
  title: 'SandAgent on Next.js',
  description: 'An agent in a sandbox asks, you answer, and it goes on.',
}

// A session comes with the page, so no cache in between may keep it.
export const dynamic = 'force-dynamic'

export default function Layout({ children }: { children: ReactNode }): ReactElement {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
