// Misspelt options of an operator of Modules and of a program, where the types are not checked.
import t from 'tap'
import { secrets } from '../../../engine/kube/builtin.js'
import { defineProgram } from '../../manager/program.js'
import { moduleControllers } from '../../module-controllers.js'

const made = (options: object) => () => moduleControllers(options as never)
const program = {
  name: 'nothing',
  version: '1.0.0',
  sdk: '*',
  newManager: () => ({ install() {}, uninstall() {}, sleep() {}, resume() {} }),
}
const defined = (members: object) => () => defineProgram({ ...program, ...members })

const misspelt: Readonly<Record<string, () => unknown>> = {
  'moduleControllers has no option buildIn; did you mean builtIn?': made({ buildIn: {} }),
  'programs of moduleControllers has no option requiresDigest; did you mean requireDigest?': made({
    programs: { allow: [], requiresDigest: true },
  }),
  'charts of helm of moduleControllers has no option network; did you mean networks?': made({
    helm: { charts: { allow: [], network: [] } },
  }),
  'policy of helm of moduleControllers has no option clusterScope; did you mean clusterScoped?': made({
    helm: { policy: { clusterScope: true } },
  }),
  'containers of moduleControllers has no option allowImage; did you mean allowImages?': made({
    containers: { namespace: 'a', allowImage: [] },
  }),
  'volumes of forkData of moduleControllers has no option timeoutSecond; did you mean timeoutSeconds?': made({
    forkData: { volumes: { image: 'a', timeoutSecond: 1 } },
  }),
  'kubeconfigs of moduleControllers has no option network; did you mean networks?': made({
    kubeconfigs: { network: [] },
  }),
  'managed.chart of moduleControllers has no option digset; did you mean digest?': made({
    managed: { chart: { repo: 'https://charts.loft.sh', version: '0.30.0', digset: 'a' } },
  }),
  'permissions[0] of moduleControllers has no option verb; did you mean verbs?': made({
    permissions: [{ resource: secrets, verb: ['get'] }],
  }),
  'defineProgram has no option permisions; did you mean permissions?': defined({ permisions: [] }),
  'permissions[0] of defineProgram has no option namepace; did you mean namespace?': defined({
    permissions: [{ group: '', resource: 'secrets', verbs: ['get'], namepace: 'a' }],
  }),
}

void t.test('moduleControllers and defineProgram refuse an option that they do not have', async (t) => {
  for (const [message, call] of Object.entries(misspelt)) t.throws(call, new TypeError(message), message)
  t.equal(moduleControllers({ kubeconfigs: true, helm: { policy: {} } }).length, 2)
  t.equal(defineProgram(program), program)
})
