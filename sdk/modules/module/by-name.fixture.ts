import { PermanentError } from '../../engine/kube/error.js'
import { type NotedCall, NotingProgram } from './modules.fixture.js'

const objectOf = ({ config }: NotedCall) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `made-${config.app}` },
})

/** A program whose objects have the name of its configuration, and that does not install the app `wrong`. */
export function byName(): NotingProgram {
  const noting = new NotingProgram()
  noting.behaviour = {
    install: async (call) => {
      await call.cluster.apply([objectOf(call)])
      call.metaData.set(String(call.config.app), true)
      if (call.config.app === 'wrong') throw new PermanentError('the app is wrong')
    },
    uninstall: (call) => call.cluster.delete([objectOf(call)]),
  }
  return noting
}
