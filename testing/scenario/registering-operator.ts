import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { ControllerDefinition } from '../../sdk/operator/engine/controller.js'
import type { Operator } from '../../sdk/operator/operator.js'

/** The same operator, whose definitions of controllers are replaced when they are registered. */
export function registeringOperator(
  operator: Operator,
  replaced: <T extends KubeObject>(definition: ControllerDefinition<T>) => ControllerDefinition<T>,
): Operator {
  return {
    register: (...definitions) => {
      for (const definition of definitions) operator.register(replaced(definition))
    },
    start: () => operator.start(),
    whenRunning: () => operator.whenRunning(),
    client: (cluster) => operator.client(cluster),
    isIdle: () => operator.isIdle(),
    stop: () => operator.stop(),
  }
}
