import type { CaseGroup } from '../case.js'
import { admissionDetails } from './admission-details.js'
import { admissionPolicies } from './admission-policies.js'
import { admissionWebhooks } from './admission-webhooks.js'
import { apply } from './apply.js'
import { applyEmpties } from './apply-empties.js'
import { applyIgnored } from './apply-ignored.js'
import { applyKubectl } from './apply-kubectl.js'
import { autoscaling } from './autoscaling.js'
import { blankNamespaces } from './blank-namespaces.js'
import { byteFields } from './byte-fields.js'
import { clusterCells } from './cells-cluster.js'
import { networkingCells } from './cells-networking.js'
import { podCells } from './cells-pods.js'
import { workloadCells } from './cells-workloads.js'
import { controlPlaneGroups } from './control-plane-groups.js'
import { controllers } from './controllers.js'
import { conversionWebhooks } from './conversion-webhooks.js'
import { createNames } from './create-names.js'
import { customConversions } from './custom-conversions.js'
import { customDefinitionTypes } from './custom-definition-types.js'
import { customDefinitions } from './custom-definitions.js'
import { customFormats } from './custom-formats.js'
import { customOpen } from './custom-open.js'
import { customResources } from './custom-resources.js'
import { customRules } from './custom-rules.js'
import { customSelectors } from './custom-selectors.js'
import { customValidation } from './custom-validation.js'
import { customVersions } from './custom-versions.js'
import { defaultClasses } from './default-classes.js'
import { defaulting } from './defaulting.js'
import { deleteBodies } from './delete-bodies.js'
import { deleteCollection } from './delete-collection.js'
import { deleteFinalizers } from './delete-finalizers.js'
import { deleteQuery } from './delete-query.js'
import { discovery } from './discovery.js'
import { documentedDifferences } from './documented-differences.js'
import { dryRun } from './dry-run.js'
import { events } from './events.js'
import { fieldReports } from './field-reports.js'
import { fieldSelectors } from './field-selectors.js'
import { fieldValidation } from './field-validation.js'
import { garbageCollection } from './garbage-collection.js'
import { getList } from './get-list.js'
import { identity } from './identity.js'
import { immutability } from './immutability.js'
import { inheritedNames } from './inherited-names.js'
import { lifecycles } from './lifecycles.js'
import { limitRanges } from './limit-ranges.js'
import { malformedInput } from './malformed-input.js'
import { managedFields } from './managed-fields.js'
import { manifestDetails } from './manifest-details.js'
import { mediaTypes } from './media-types.js'
import { methods } from './methods.js'
import { moreWarnings } from './more-warnings.js'
import { mutatingPolicies } from './mutating-policies.js'
import { namespaceCases } from './namespaces.js'
import { nodes } from './nodes.js'
import { oddValues } from './odd-values.js'
import { orderOfChecks } from './order-of-checks.js'
import { paging } from './paging.js'
import { partialMetadata } from './partial-metadata.js'
import { patchDirectives } from './patch-directives.js'
import { patchJson } from './patch-json.js'
import { patchMerge } from './patch-merge.js'
import { patchStrategic } from './patch-strategic.js'
import { podActions } from './pod-actions.js'
import { podAdmission } from './pod-admission.js'
import { podConnections } from './pod-connections.js'
import { podLabels } from './pod-labels.js'
import { podLevelResize } from './pod-level-resize.js'
import { podParts } from './pod-parts.js'
import { podSecurity } from './pod-security.js'
import { preconditionCases } from './preconditions.js'
import { rarerKinds } from './rarer-kinds.js'
import { rbac } from './rbac.js'
import { requestForms } from './request-forms.js'
import { resourceQuotas } from './resource-quotas.js'
import { selectors } from './selectors.js'
import { serverAnswers } from './server-answers.js'
import { serverDetails } from './server-details.js'
import { serviceSourceRanges } from './service-source-ranges.js'
import { services } from './services.js'
import { signingRequests } from './signing-requests.js'
import { storageClasses } from './storage-classes.js'
import { storedDetails } from './stored-details.js'
import { subresources } from './subresources.js'
import { tableColumns } from './table-columns.js'
import { tableOutput } from './table-output.js'
import { typeMismatches } from './type-mismatches.js'
import { updateConcurrency } from './update-concurrency.js'
import { refusedBatch } from './validation-batch.js'
import { validationKinds } from './validation-kinds.js'
import { validationMetadata } from './validation-metadata.js'
import { refusedNetworking } from './validation-networking.js'
import { refusedPodClaims } from './validation-pod-claims.js'
import { refusedPods } from './validation-pods.js'
import { refusedSpecs } from './validation-specs.js'
import { refusedVolumes } from './validation-volumes.js'
import { refusedWorkloads } from './validation-workloads.js'
import { volumeAffinity } from './volume-affinity.js'
import { volumeSources } from './volume-sources.js'
import { warnings } from './warnings.js'
import { watch } from './watch.js'
import { webhookConfigurations } from './webhook-configurations.js'
import { yamlBodies } from './yaml-bodies.js'

/** Every group of cases. */
export const groups: readonly CaseGroup[] = [
  getList,
  paging,
  selectors,
  watch,
  createNames,
  updateConcurrency,
  patchJson,
  patchMerge,
  patchStrategic,
  patchDirectives,
  deleteFinalizers,
  deleteCollection,
  deleteBodies,
  preconditionCases,
  dryRun,
  fieldValidation,
  services,
  serviceSourceRanges,
  lifecycles,
  subresources,
  namespaceCases,
  validationMetadata,
  validationKinds,
  refusedPods,
  refusedPodClaims,
  podAdmission,
  nodes,
  byteFields,
  blankNamespaces,
  storageClasses,
  rarerKinds,
  signingRequests,
  storedDetails,
  garbageCollection,
  admissionDetails,
  admissionWebhooks,
  refusedWorkloads,
  refusedBatch,
  refusedVolumes,
  refusedNetworking,
  immutability,
  defaulting,
  customResources,
  customDefinitions,
  customDefinitionTypes,
  customValidation,
  customVersions,
  customRules,
  customSelectors,
  discovery,
  tableOutput,
  tableColumns,
  podCells,
  workloadCells,
  networkingCells,
  clusterCells,
  partialMetadata,
  mediaTypes,
  malformedInput,
  warnings,
  managedFields,
  apply,
  identity,
  rbac,
  controllers,
  conversionWebhooks,
  fieldReports,
  events,
  autoscaling,
  webhookConfigurations,
  yamlBodies,
  deleteQuery,
  requestForms,
  moreWarnings,
  applyIgnored,
  applyEmpties,
  applyKubectl,
  customConversions,
  customFormats,
  customOpen,
  oddValues,
  methods,
  fieldSelectors,
  podConnections,
  podActions,
  podLabels,
  podLevelResize,
  podParts,
  controlPlaneGroups,
  typeMismatches,
  orderOfChecks,
  refusedSpecs,
  serverAnswers,
  serverDetails,
  inheritedNames,
  limitRanges,
  podSecurity,
  admissionPolicies,
  mutatingPolicies,
  resourceQuotas,
  defaultClasses,
  documentedDifferences,
  volumeAffinity,
  volumeSources,
  manifestDetails,
]
