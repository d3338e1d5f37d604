import type { ReactElement, ReactNode } from 'react'

/** Short facts side by side. What is not known is left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }): ReactElement => (
  <dl className="facts">
    {facts.map(
      ([label, value]) =>
        value !== undefined &&
        value !== '' && (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ),
    )}
  </dl>
)
