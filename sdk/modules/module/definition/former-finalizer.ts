import type { ControllerContext } from '../../../operator/controller/context.js'
import { removeFinalizer } from '../../../operator/finalizer/finalizers.js'
import type { Module } from '../../kinds/module.js'
import { modules } from '../../kinds/module-kind.js'

/** The finalizer that the former operator put on its Modules. */
const formerFinalizer = 'delete'

/** Removes the finalizer of the former operator from a Module. */
export async function removeFormerFinalizer(
  { client }: ControllerContext<Module>,
  module: Module,
): Promise<void> {
  await removeFinalizer(module, { client, resource: modules, finalizer: formerFinalizer })
}
