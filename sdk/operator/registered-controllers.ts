import { PluginError } from '../engine/kube/error.js'
import type { KubeObject } from '../engine/kube/object.js'
import { checkSharable } from './check-shards.js'
import { type ControllerDefinition, type RegistrableController, registrable } from './engine/controller.js'

/** The controllers of one operator: names differ, and no two of them disagree about a kind. */
export class RegisteredControllers {
  readonly #shards: number | undefined
  readonly #byName = new Map<string, RegistrableController>()

  /** `shards` is the option of the operator; undefined without shards. */
  constructor(shards: number | undefined) {
    this.#shards = shards
  }

  /** The controllers in the order of their registration. */
  get values(): readonly RegistrableController[] {
    return [...this.#byName.values()]
  }

  /**
   * Throws `PluginError` `INVALID_REGISTRATION` if the controller does not fit the operator or an earlier controller.
   */
  add<T extends KubeObject>(definition: ControllerDefinition<T>): void {
    // The kinds of an operator's controllers differ, so a list of them has no common type of object.
    const controller = registrable(definition) as unknown as RegistrableController
    const { name } = controller
    if (this.#byName.has(name)) {
      const message = `two controllers are named ${name}: give one of them another name, with its option name`
      throw new PluginError('INVALID_REGISTRATION', message)
    }
    checkSharable(controller, this.#shards)
    controller.checkBeside(this.values)
    this.#byName.set(name, controller)
  }
}
