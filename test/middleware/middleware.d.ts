/** The parts of older middleware that are used here, which bring no types. */
declare module 'express-4' {
  import express from 'express'

  export default express
}

declare module 'compression' {
  import type { RequestHandler } from 'express'

  export default function compression(): RequestHandler
}

declare module 'express-session' {
  import type { RequestHandler } from 'express'

  export default function session(options: {
    secret: string
    resave: boolean
    saveUninitialized: boolean
  }): RequestHandler
}

declare module 'morgan' {
  import type { RequestHandler } from 'express'

  export default function morgan(
    format: string,
    options: { stream: { write(line: string): void } },
  ): RequestHandler
}

declare module 'next/dist/compiled/compression/index.js' {
  import type { RequestHandler } from 'express'

  export default function compression(): RequestHandler
}
