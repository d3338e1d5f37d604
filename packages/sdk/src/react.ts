// The same as `@sandagent/react`, for pages that install only this package.
export * from '@sandagent/react'
