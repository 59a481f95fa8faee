// Runs the managers of a program in this process. Only for programs that are part of the operator's own code.

import { PermanentError } from '../../engine/kube/error.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { MetaData } from '../metadata/metadata.js'
import { ProgramError } from '../program/program-error.js'
import { configMismatch } from './config-mismatch.js'
import type { Manager, OperationContext, OperationKind, OptionalMethod } from './manager.js'
import type { ModuleCluster } from './module-cluster.js'
import type { Program } from './program.js'
import { ProgramConfigError } from './program-config-error.js'
import type { ManagerSession, ModuleIdentity, ProgramFacts, ProgramRunner } from './program-runner.js'

/** The methods that every manager has. */
const requiredMethods = ['install', 'uninstall', 'sleep', 'resume'] as const
/** The methods that a manager may have. */
const optionalMethods = ['upgrade', 'check'] as const

/**
 * Runs a program in this process, without isolation.
 *
 * @example
 * ```ts
 * const runner = inlineRunner(backupProgram, { logger })
 * const session = await runner.open(module, config, cluster)
 * await session.call('install', ctx, metaData)
 * ```
 */
export function inlineRunner(program: Program, { logger }: { readonly logger: Logger }): ProgramRunner {
  return {
    open: async (module, config, cluster) =>
      new InlineSession(await newManager(program, { module, config, cluster, logger }), program),
    close: async () => {},
  }
}

interface ManagerOptions {
  readonly module: ModuleIdentity
  readonly config: unknown
  readonly cluster: ModuleCluster
  readonly logger: Logger
}

/** Makes the manager of a Module. Throws `ProgramError` if it lacks a required method. */
async function newManager(
  program: Program,
  { module, config, cluster, logger }: ManagerOptions,
): Promise<Manager> {
  const child = logger.child({
    module: `${module.namespace}/${module.name}`,
    workspace: module.workspace,
    program: program.name,
  })
  const options = { logger: child, cluster, config: checkedConfig(program, config), module }
  const manager: Partial<Manager> = await program.newManager(options)
  const missing = requiredMethods.filter((name) => typeof manager?.[name] !== 'function')
  if (missing.length === 0) return manager as Manager
  throw new ProgramError(
    'INVALID_PROGRAM',
    `the manager of program ${program.name} lacks ${missing.join(', ')}; write ${missing.length > 1 ? 'these methods' : 'this method'}`,
  )
}

/** The configuration with the program's defaults. Throws {@link ProgramConfigError} if it does not fit. */
function checkedConfig(program: Program, config: unknown): unknown {
  if (!program.config) return config
  try {
    return program.config.parse(config ?? {})
  } catch (cause) {
    throw new ProgramConfigError(configMismatch(program.name, cause, config), { cause })
  }
}

/** The calls of one manager that runs in this process; `open` makes it, and an operation calls it. */
class InlineSession implements ManagerSession {
  readonly program: ProgramFacts
  readonly methods: readonly OptionalMethod[]
  readonly #manager: Manager

  constructor(manager: Manager, { name, version }: Program) {
    this.#manager = manager
    // The permissions of the program are left out: a program of the operator itself may do what the operator may.
    this.program = { name, version }
    this.methods = optionalMethods.filter((name) => typeof manager[name] === 'function')
  }

  async call(
    operation: OperationKind,
    ctx: OperationContext,
    metaData: MetaData,
    formerConfig?: unknown,
  ): Promise<boolean | undefined> {
    const method = (this.#manager as Partial<Record<OperationKind, unknown>>)[operation] as
      | ((ctx: OperationContext, metaData: MetaData, formerConfig?: unknown) => unknown)
      | undefined
    if (!method) throw new PermanentError(`the manager has no method ${operation}`)
    const answer = await method.call(this.#manager, ctx, metaData, formerConfig)
    return operation === 'check' ? Boolean(answer) : undefined
  }

  async close(): Promise<void> {}
}
