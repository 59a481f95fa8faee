/** The programs that may be loaded, and how they run. */
export interface LoadedProgramsOptions {
  /**
   * The beginnings of the URLs that programs and definitions may come from, such as `https://programs.example/stable/`.
   */
  readonly allow: readonly string[]
  /** Networks that host names may resolve to although they are internal, such as `10.96.0.0/12`. Default: none. */
  readonly networks?: readonly string[]
  /** Certificate authorities of the servers of programs in PEM, in addition to those of Node. Default: none. */
  readonly ca?: string
  /** The folder of the programs with `file:` URLs. Default: such URLs are refused. */
  readonly folder?: string
  /**
   * The namespaces of the ConfigMaps that programs may come from, or `all-namespaces`. Users who may write ConfigMaps
   * there, and Modules, run their own code in the namespace of the operator. Default: the namespace of the operator;
   * none in a plugin for Modules of the virtual cluster.
   */
  readonly configMapNamespaces?: readonly string[] | 'all-namespaces'
  /**
   * Whether programs from servers need a digest, and others too where the kernel gives no boundary between programs and
   * the operator. Default: true.
   */
  readonly requireDigest?: boolean
  /**
   * The objects that a loaded program may use in the cluster that holds the Modules: those in the namespace of its
   * Module, or all that the operator may. Users who may create Modules bring their own programs. Default:
   * `same-namespace`.
   */
  readonly objects?: 'same-namespace' | 'all-namespaces'
  /**
   * The folder in which programs are kept. One process uses it at a time. Default: one of this process, below that of
   * temporary files.
   */
  readonly cacheFolder?: string
  /** The limit of the JavaScript heap of a program's process, in MiB. Default: 128. */
  readonly memoryMb?: number
  /**
   * Whether programs run where the kernel keeps nothing between them and the operator, by the permissions of Node
   * alone. `required` starts none there. Default: `preferred`.
   */
  readonly boundary?: 'required' | 'preferred'
  /**
   * Whether programs may use the network. Default: false, which a boundary of namespaces enforces, and Node itself from
   * version 25.
   */
  readonly network?: boolean
}
