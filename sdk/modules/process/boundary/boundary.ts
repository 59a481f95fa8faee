/** How the kernel separates the process of a program from the operator, the strongest kind first. */
export type BoundaryKind =
  /** Linux namespaces: the process sees no other process, no network, and only the files of Node and of the program. */
  | 'namespaces'
  /**
   * Another user than the operator's: the process can neither signal nor inspect the operator, nor read or write files
   * that only the operator's user may.
   */
  | 'user'
  /** No separation by the kernel: only Node's permission model limits the process. */
  | 'none'

/** The strongest boundary that works here; the operator tests it once, by starting a process behind it. */
export interface Boundary {
  readonly kind: BoundaryKind
  /** The reason why no stronger boundary works; empty for `namespaces`. */
  readonly reason: string
}

/** The command that starts a process behind a boundary, and the user that it runs as. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly uid?: number | undefined
  readonly gid?: number | undefined
}

/** The process of Node that shall start behind a boundary; `launchOf` makes a {@link Launch} of it. */
export interface LaunchOptions {
  /** The folder that only this process uses. */
  readonly folder: string
  /** The program's file, which Node may read. */
  readonly file: string
  /** The path of the `node` executable. */
  readonly node: string
  readonly args: readonly string[]
  /** Whether the process may use the network. */
  readonly network: boolean
}
