// Tests releases on a real control plane that helm 3 and 4 read, change and hand over, and whose definitions and Jobs
// take time.
import t from 'tap'
import { missingAssets } from '../real/real-cluster.js'
import { missingEngine, missingPrograms, programs } from './charts.js'
import { startRealControlPlane } from './real-control-plane.js'
import {
  definingDefinitions,
  installsPolicy,
  registerDefining,
  renewsDefinition,
  waitsForDefinition,
} from './real-definitions.js'
import {
  handedDefinition,
  isAdopted,
  isChangedByHelm,
  isReadByHelm,
  isUninstalledByHelm,
  registerHanded,
} from './real-handovers.js'
import { hookingDefinition, registerHooking, runsJobs } from './real-hooks.js'

const skip = missingAssets('kube-controller-manager') || missingEngine || missingPrograms

void t.test('helm, definitions and Jobs on a real control plane', { skip, timeout: 600_000 }, async (t) => {
  let folder = ''
  const plane = await startRealControlPlane(t, {
    definitions: [handedDefinition, hookingDefinition, ...definingDefinitions],
    register: async (operator) => {
      registerHooking(operator)
      await registerDefining(t, operator)
      folder = await registerHanded(t, operator)
    },
  })
  await t.test('objects wait until the definition of their kind is established', (t) =>
    waitsForDefinition(t, plane),
  )
  await t.test('with upgrade, a definition is applied again', (t) => renewsDefinition(t, plane))
  await t.test('a policy in crds/ is created, acts and stays', (t) => installsPolicy(t, plane))
  await t.test('Jobs run by weight and name, and go by their policies', (t) => runsJobs(t, plane))
  for (const [index, program] of programs.entries()) {
    const helm = { program, folder, allFlag: index === 0 ? ['--all'] : [] }
    const handed = { ...helm, name: `handed-${index}` }
    await t.test(`helm ${index + 3} reads a release`, (t) => isReadByHelm(t, plane, handed))
    await t.test('a rollback and an upgrade are reported, and changed back', (t) =>
      isChangedByHelm(t, plane, handed),
    )
    await t.test('a release that is uninstalled is installed again, and goes with its object', (t) =>
      isUninstalledByHelm(t, plane, handed),
    )
    await t.test('a release of helm is adopted while its Pods run on', (t) =>
      isAdopted(t, plane, { ...helm, name: `adopted-${index}` }),
    )
  }
})
