import '@sandagent/react/styles.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/list.css'
import './styles/detail.css'
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
