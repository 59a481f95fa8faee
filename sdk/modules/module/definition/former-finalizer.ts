import type { ControllerContext } from '../../../operator/controller/context.js'
import { removeFinalizer } from '../../../operator/finalizer/finalizers.js'
import type { Module } from '../../kinds/module.js'
import { modules } from '../../kinds/module-kind.js'

/** The finalizer of Modules that another operator made; its name says nothing about its owner. */
const formerFinalizer = 'delete'

/** Takes over a Module of another operator. */
export async function removeFormerFinalizer(
  { client }: ControllerContext<Module>,
  module: Module,
): Promise<void> {
  await removeFinalizer(module, { client, resource: modules, finalizer: formerFinalizer })
}
