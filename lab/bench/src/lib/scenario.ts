/** What the command line says about how to measure. */
export interface BenchOptions {
  /** A tenth of the samples, and a smaller run log: a first look, not figures to publish. */
  quick: boolean
  /** How long `soak` asks questions. */
  minutes: number
  /** The size of the run log that `replay` reads. */
  megabytes: number
}

/** The figures by key, without the scenario's name. A figure that this machine cannot take is `null` or missing. */
export type Figures = Readonly<Record<string, number | null | undefined>>

/** What a figure should reach. */
export interface Goal {
  text: string
  figure: number | null | undefined
  /** The figure is at most, or at least, so much. */
  most?: number | null | undefined
  least?: number | null | undefined
}

/** One thing that is measured. Its name is its key in the table of scenarios. */
export interface Scenario {
  title: string
  /** What each figure is, by its key in `--json`. A key with dots is an object in an object. */
  keys: Readonly<Record<string, string>>
  /** The same for figures of other systems: they are there only where `peers` has installed these. */
  peerKeys: Readonly<Record<string, string>>
  /** Whether only its name starts it, because it takes very long. */
  byNameOnly: boolean
  /** Resolves to `null` if this machine cannot measure it. */
  measure(options: BenchOptions): Promise<Figures | null>
  goals(figures: Figures): Goal[]
}

interface Definition<Key extends string, PeerKey extends string> {
  title: string
  keys: Record<Key, string>
  peerKeys?: Record<PeerKey, string>
  byNameOnly?: boolean
  measure(
    options: BenchOptions,
  ): Promise<(Record<NoInfer<Key>, number | null> & Partial<Record<NoInfer<PeerKey>, number>>) | null>
  goals?(figures: Record<NoInfer<Key>, number> & Partial<Record<NoInfer<PeerKey>, number>>): Goal[]
}

/** Makes a scenario whose figures are checked against its keys. */
export function defineScenario<Key extends string, PeerKey extends string = never>({
  title,
  keys,
  peerKeys,
  byNameOnly = false,
  measure,
  goals = () => [],
}: Definition<Key, PeerKey>): Scenario {
  return {
    title,
    keys,
    peerKeys: peerKeys ?? {},
    byNameOnly,
    measure,
    goals: (figures) => goals(figures as Parameters<typeof goals>[0]),
  }
}
