import '@sandagent/sdk/react/styles.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/chat.css'
import './styles/chats.css'
import './styles/sandbox.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
