import { checkEachOption, checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Manager } from './manager.js'
import type { ModuleCluster } from './module-cluster.js'
import type { PolicyRule } from './policy-rule.js'
import type { ModuleIdentity } from './program-runner.js'

/** The options of `newManager`. */
export interface NewManagerOptions<Config = unknown> {
  readonly logger: Logger
  readonly cluster: ModuleCluster
  /** The configuration of the Module, checked by the schema of the program. */
  readonly config: Config
  readonly module: ModuleIdentity
}

/** A program: it makes the managers of Modules. */
export interface Program<Config = unknown> {
  readonly name: string
  readonly version: string
  /** The versions of the SDK that it runs with, such as `>=0.2.0 <1`. */
  readonly sdk: string
  /** Checks and completes the configuration; every zod schema is one. */
  readonly config?: { parse(value: unknown): Config } | undefined
  /**
   * The rights of a loaded program in the cluster. Default: those of the operator, which a program of its own always
   * has.
   */
  readonly permissions?: readonly PolicyRule[] | undefined
  /** Makes the manager of one Module. If it throws, nothing is installed. */
  newManager(options: NewManagerOptions<Config>): Manager | Promise<Manager>
}

const memberTypes: OptionTypes<Program> = {
  name: 'any',
  version: 'any',
  sdk: 'any',
  config: 'any',
  permissions: 'any',
  newManager: 'any',
}

const ruleTypes: OptionTypes<PolicyRule> = { group: 'any', resource: 'any', verbs: 'any', namespace: 'any' }

/**
 * Declares a program. It is the default export of the file of a program that is loaded. Throws a `TypeError` for a
 * misspelt member: without `permissions` a program has those of its operator.
 *
 * @example
 * ```ts
 * const nothing = defineProgram({
 *   name: 'nothing',
 *   version: '1.0.0',
 *   sdk: '>=0.1.0 <1',
 *   newManager: () => ({ install() {}, uninstall() {}, sleep() {}, resume() {} }),
 * })
 * ```
 */
export function defineProgram<Config>(program: Program<Config>): Program<Config> {
  checkOptions('defineProgram', program, memberTypes)
  checkEachOption('defineProgram', { permissions: program.permissions }, ruleTypes)
  return program
}
