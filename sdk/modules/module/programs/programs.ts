// The programs of an operator: built-in programs, and programs that are loaded while the operator runs.
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PermanentError } from '../../../engine/kube/error.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { Clock } from '../../../engine/time/clock.js'
import { version as sdkVersion } from '../../../engine/transport/version.js'
import type { ContainerModules } from '../../container/container-modules.js'
import { inlineRunner } from '../../manager/inline-runner.js'
import type { Program } from '../../manager/program.js'
import type { ProgramRunner } from '../../manager/program-runner.js'
import { ignoreDebuggerSignal } from '../../process/boundary/ignore-debugger-signal.js'
import { checkPinned } from '../../process/boundary/required-boundary.js'
import { processRunner } from '../../process/process-runner.js'
import { AllowList } from '../../program/allow-list.js'
import { fetchProgram } from '../../program/fetch-program.js'
import { type LoadedProgram, loadProgram } from '../../program/load-program.js'
import { ProgramCache } from '../../program/program-cache.js'
import { checkAuthorities } from '../../program/trusted-authorities.js'
import { programLimitBytes, unpackProgram } from '../../program/unpack-program.js'
import { isInRange } from '../../program/version-range.js'
import {
  containerKind,
  type Definition,
  type FrozenDefinition,
  helmKind,
  type ProgramOrigin,
} from '../definition/definition.js'
import { type DefinitionReader, readConfigMap } from '../definition/resolve-definition.js'
import type { LoadedProgramsOptions } from './loaded-programs-options.js'
import { checkProgramNamespace } from './program-namespaces.js'

/** Options of {@link Programs}. */
export interface ProgramsOptions {
  readonly builtIn: Readonly<Record<string, Program>>
  /** Whether Modules may have Helm releases. */
  readonly hasHelm: boolean
  /** Whether Modules may have containers, and which. */
  readonly containers: ContainerModules | undefined
  readonly loaded: LoadedProgramsOptions | undefined
  /** The namespaces of ConfigMaps if `loaded` does not name any. */
  readonly defaultNamespaces: readonly string[]
  readonly logger: Logger
  readonly clock: Clock
}

/** Finds, loads and runs the programs of Modules. There is one Programs for each controller of Modules. */
export class Programs {
  readonly #options: ProgramsOptions
  readonly #cache: ProgramCache
  readonly #allowList: AllowList | undefined
  /** By the digest of a loaded program, or by the kind of a built-in program. */
  readonly #runners = new Map<string, ProgramRunner>()
  /** Outlives the runners, which idle programs lose. */
  readonly #advised = new Set<string>()

  constructor(options: ProgramsOptions) {
    const { loaded } = options
    this.#options = options
    this.#cache = new ProgramCache(loaded?.cacheFolder ?? join(tmpdir(), `module-programs-${process.pid}`))
    checkAuthorities(loaded?.ca, 'programs')
    if (loaded) ignoreDebuggerSignal()
    this.#allowList = loaded && new AllowList(loaded)
  }

  /** Whether Modules may name programs that are loaded. */
  get areLoaded(): boolean {
    return this.#options.loaded !== undefined
  }

  /** Throws unless there is a program for the definition, and the SDK has a version that it supports. */
  check({ kind, metadata }: Definition): void {
    const { supportedOperatorVersion: range, name = 'the definition' } = metadata
    if (range !== undefined && !isSupported(range))
      throw new PermanentError(
        `${name} supports the versions ${JSON.stringify(range)} of the SDK, and this one is ${sdkVersion}; correct supportedOperatorVersion`,
      )
    const { builtIn, hasHelm, containers } = this.#options
    if (kind === containerKind && !containers)
      throw new PermanentError(
        'containers do not run here: set containers in the options of moduleControllers, with the images that may run',
      )
    const kinds = [
      'Custom',
      ...(containers ? [containerKind] : []),
      ...Object.keys(builtIn),
      ...(hasHelm ? [helmKind] : []),
    ]
    if (kinds.includes(kind)) return
    if (kind === helmKind)
      throw new PermanentError(
        'Helm releases are not installed here: set helm in the options of moduleControllers',
      )
    throw new PermanentError(
      `the kind ${kind} of the definition is unknown; known are ${kinds.join(', ')}: correct it, or add the program to builtIn in the options of moduleControllers`,
    )
  }

  /** Throws for a container that the operator does not allow. `spec` has no templates. */
  checkContainer(spec: unknown): void {
    this.#options.containers?.check(spec)
  }

  /** Loads the program of a Module and returns its content and digest. */
  async load(origin: ProgramOrigin, reader: DefinitionReader): Promise<LoadedProgram> {
    const { loaded } = this.#options
    const { digest, url, configMap, auth } = origin
    const allowList = this.#allowList
    if (!loaded || !allowList)
      throw new PermanentError(
        'this operator loads no programs: set programs in the options of moduleControllers',
      )
    if (loaded.requireDigest !== false) await checkPinned(digest, placeOf(origin))
    const options = { ...loaded, allowList, signal: reader.signal }
    if (url !== undefined) {
      checkNotGo(url)
      const authorization = auth && (await reader.readAuthorization(auth))
      return loadProgram({ url, digest, authorization }, options)
    }
    if (!configMap) throw new PermanentError('a program needs either a URL or a configMap')
    const { key } = configMap
    checkProgramNamespace(configMap, loaded.configMapNamespaces ?? this.#options.defaultNamespaces)
    return loadProgram({ configMap: await readConfigMap(configMap, reader), key, digest }, options)
  }

  /** The namespace that a loaded program may use in the cluster of its Module; undefined for all. */
  namespaceOf(namespace: string): string | undefined {
    const { objects = 'same-namespace' } = this.#options.loaded ?? {}
    return objects === 'same-namespace' ? namespace : undefined
  }

  /** The content of a program with the digest of the definition: from the disk, from its copy, or from its origin. */
  async contentOf(origin: ProgramOrigin, reader: DefinitionReader): Promise<LoadedProgram> {
    const { digest = '' } = origin
    const path = await this.#cache.find(digest)
    if (path) return { content: await readFile(path), digest }
    return (await reader.readCopy(digest)) ?? (await this.load(origin, reader))
  }

  /** The runner of a Module's program. A loaded program is executed only with the digest of the definition. */
  async runnerOf({ kind, program }: FrozenDefinition, reader: DefinitionReader): Promise<ProgramRunner> {
    const name = program?.digest ?? kind
    const existing = this.#runners.get(name)
    if (existing) return existing
    const runner = program ? await this.#createProcessRunner(program, reader) : this.#createInlineRunner(kind)
    const addedMeanwhile = this.#runners.get(name)
    if (addedMeanwhile) return addedMeanwhile
    this.#runners.set(name, runner)
    return runner
  }

  /** Fetches the text of a definition. */
  async fetchText(url: string, signal: AbortSignal): Promise<string> {
    const allowList = this.#allowList
    if (!allowList)
      throw new PermanentError(
        'this operator fetches no definitions: set programs in the options of moduleControllers',
      )
    const content = await fetchProgram(url, {
      allowList,
      ca: this.#options.loaded?.ca,
      signal,
      what: 'definition',
    })
    return (await unpackProgram(url, content, programLimitBytes)).toString('utf8')
  }

  /** Ends all processes of programs. */
  async close(): Promise<void> {
    const runners = [...this.#runners.values()]
    this.#runners.clear()
    await Promise.all(runners.map((runner) => runner.close()))
  }

  /** The runner of a built-in program, which runs in this process. */
  #createInlineRunner(kind: string): ProgramRunner {
    const { builtIn, logger } = this.#options
    const program = Object.hasOwn(builtIn, kind) ? builtIn[kind] : undefined
    if (program) return inlineRunner(program, { logger })
    throw new PermanentError(`this operator has no program for the kind ${kind}, which installed the Module`)
  }

  /** The runner of a loaded program, which runs in a process of its own. */
  async #createProcessRunner(origin: ProgramOrigin, reader: DefinitionReader): Promise<ProgramRunner> {
    const { logger, clock, loaded } = this.#options
    const program = await this.contentOf(origin, reader)
    const onIdle = () => void this.#forget(program.digest)
    const { memoryMb, boundary, network } = loaded ?? {}
    const limits = { memoryMb, boundary, network }
    return processRunner(program, {
      ...limits,
      cache: this.#cache,
      logger,
      clock,
      onIdle,
      advised: this.#advised,
    })
  }

  /**
   * Frees the memory and disk space of an unused program, because users may bring any number of programs. It is loaded
   * again if a Module needs it.
   */
  async #forget(digest: string): Promise<void> {
    this.#runners.delete(digest)
    await this.#cache.remove(digest).catch((error: unknown) => {
      this.#options.logger.warn(
        { error, digest },
        'the file of a program that is not in use cannot be removed',
      )
    })
  }
}

/** The origin of a program for messages, without credentials. */
function placeOf({ url, configMap }: ProgramOrigin): string {
  if (configMap) return `ConfigMap ${configMap.namespace}/${configMap.name}`
  return (url ?? 'the program').replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')
}

/** Throws for a Go plugin, which only runs in the operator that it was compiled for. */
function checkNotGo(url: string): void {
  if (!/\.so(?:$|[?#&])/.test(url)) return
  throw new PermanentError(
    `the program ${JSON.stringify(url.slice(0, 200))} is not loaded: a .so file is a plugin of Go; write it as a program of JavaScript, ` +
      'as docs/coming-from-forkspacer.md shows, and name that file',
  )
}

/** Whether the version of this SDK is in a range. Throws a `PermanentError` for a range that cannot be read. */
function isSupported(range: string): boolean {
  try {
    return isInRange(sdkVersion, range)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new PermanentError(`supportedOperatorVersion: ${why}`, { cause })
  }
}
