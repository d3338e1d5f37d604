import '@sandagent/react/styles.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/list.css'
import './styles/detail.css'
import { App } from './app.tsx'
import { show } from './show.tsx'

show(<App />)
