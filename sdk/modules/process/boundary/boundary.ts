/** The separation by the kernel between the operator and the process of a program. */
export type BoundaryKind =
  /** Namespaces of its own: no process but its own, no network, and no file but Node, its libraries and the program. */
  | 'namespaces'
  /**
   * A user of its own: it can neither signal nor inspect the operator, nor read or write what only the operator may.
   */
  | 'user'
  /** Nothing: Node's permission model alone. */
  | 'none'

/** A boundary that was tested in this process. */
export interface Boundary {
  readonly kind: BoundaryKind
  /** Why there is no stronger boundary; empty with namespaces. */
  readonly why: string
}

/** The command to start, and its user. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
  readonly uid?: number | undefined
  readonly gid?: number | undefined
}

/** A process of Node to start behind a boundary. */
export interface LaunchOptions {
  /** The folder that only this process uses. */
  readonly folder: string
  /** The file of the program, which Node may read. */
  readonly file: string
  /** The program of Node. */
  readonly node: string
  readonly args: readonly string[]
  /** Whether the process may use the network. */
  readonly network: boolean
}
