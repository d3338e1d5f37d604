import '@sandagent/react/styles.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/list.css'
import './styles/detail.css'
import './styles/batch.css'
import './styles/settings.css'
import { App } from './app.tsx'
import { renewNotices } from './settings/push-subscription.ts'
import { registerWorker } from './settings/register-worker.ts'
import { show } from './show.tsx'

show(<App />)
// Without it the page works too.
registerWorker()
  .then(renewNotices)
  .catch((error: unknown) => console.warn(error))
