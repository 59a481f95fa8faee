import { checkOptions, type OptionTypes } from '../../../engine/manager/check-options.js'
import { policyTypes } from '../../../helm/policy/release-policy.js'
import { checkPermissions } from '../../../operator/controller/controller-permission.js'
import type { ContainersOptions } from '../../container/containers-options.js'
import type { HelmModulesOptions } from '../../helm/helm-modules-options.js'
import type { ManagedWorkspacesOptions, PinnedChart } from '../../managed/managed-options.js'
import type { LoadedProgramsOptions } from '../programs/loaded-programs-options.js'
import type { ForkDataOptions } from './fork-data-options.js'
import type { KubeconfigOptions } from './kubeconfig-addresses.js'
import type { ModulesOptions } from './modules-options.js'

const programTypes: OptionTypes<LoadedProgramsOptions> = {
  allow: 'any',
  networks: 'any',
  ca: 'any',
  folder: 'any',
  configMapNamespaces: 'any',
  requireDigest: 'any',
  objects: 'any',
  cacheFolder: 'any',
  memoryMb: 'any',
  boundary: 'any',
  network: 'any',
}

const chartServerTypes: OptionTypes<NonNullable<HelmModulesOptions['charts']>> = {
  allow: 'any',
  networks: 'any',
  ca: 'any',
}

const helmTypes: OptionTypes<HelmModulesOptions> = {
  charts: chartServerTypes,
  releases: 'any',
  policy: policyTypes,
  wait: 'any',
  renderer: 'object',
}

const containerTypes: OptionTypes<ContainersOptions> = {
  allowImages: 'any',
  namespace: 'any',
  permissions: 'object',
  imagePullSecrets: 'any',
  address: 'any',
  newToken: 'any',
}

const managedTypes: OptionTypes<ManagedWorkspacesOptions> = {
  chart: 'object',
  distros: 'any',
  values: 'object',
  renderer: 'object',
}

const volumeTypes: OptionTypes<NonNullable<ForkDataOptions['volumes']>> = {
  image: 'any',
  timeoutSeconds: 'any',
}

const forkDataTypes: OptionTypes<ForkDataOptions> = { volumes: volumeTypes }

const optionTypes: OptionTypes<ModulesOptions> = {
  workspaces: 'any',
  builtIn: 'object',
  programs: programTypes,
  helm: helmTypes,
  containers: containerTypes,
  vclusters: 'any',
  managed: managedTypes,
  kubeconfigs: 'any',
  references: 'any',
  forks: 'any',
  forkData: forkDataTypes,
  metadata: 'any',
  keepVolumes: 'any',
  concurrency: 'any',
  permissions: 'any',
}

const kubeconfigTypes: OptionTypes<KubeconfigOptions> = { networks: 'any' }

const pinnedChartTypes: OptionTypes<PinnedChart> = {
  repo: 'any',
  version: 'any',
  digest: 'any',
  allow: 'any',
  networks: 'any',
  ca: 'any',
  name: 'any',
}

/** Throws a `TypeError` for a misspelt option of `moduleControllers`, also in the options below it. */
export function checkModulesOptions(options: ModulesOptions): void {
  const user = 'moduleControllers'
  checkOptions(user, options, optionTypes)
  const { kubeconfigs, managed, permissions } = options
  if (typeof kubeconfigs === 'object') checkOptions(`kubeconfigs of ${user}`, kubeconfigs, kubeconfigTypes)
  const chart = managed?.chart
  if (chart && 'repo' in chart) checkOptions(`managed.chart of ${user}`, chart, pinnedChartTypes)
  checkPermissions(user, permissions)
}
