import { PermanentError } from 'vcluster-plugin-sdk'
import { controller, type Operator } from 'vcluster-plugin-sdk/operator'
import { apps } from './apps.js'

/** Says that an App cannot work as it is. It is not tried again before its owner changes it. */
const appController = controller(apps, {
  reconcile(ctx, { spec }) {
    if (spec.image.endsWith(':latest'))
      throw new PermanentError(`spec.image is ${spec.image}; name a version, such as nginx:1.29`)
    ctx.condition('Ready', true, 'ImageHasVersion')
  },
})

export function register(operator: Operator): void {
  operator.register(appController)
}
