import '@sandagent/react/styles.css'
import '../styles/base.css'
import '../styles/answer.css'
import { show } from '../show.tsx'
import { LinkedQuestion } from './linked-question.tsx'

// Another link that is opened in the same tab changes only what stands behind the `#`.
window.addEventListener('hashchange', () => location.reload())
show(<LinkedQuestion />)
