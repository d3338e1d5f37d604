import type { BucketNames } from '../lib/subjects.ts'
import type { Service } from '../service/service.ts'
import type { LiveView } from './live-view.ts'
import type { View } from './view.ts'

/** What a store works with, once it is connected. */
export interface StoreParts {
  service: Service
  names: BucketNames
  view: View
  live: LiveView
  /** Ends what goes on in the background. The connection stays. */
  close(): void
}
