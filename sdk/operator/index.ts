// The public names of vcluster-plugin-sdk/operator, listed by hand, in the order in which a reader needs them.

// The first names: an operator, a kind of your own, and a controller for its objects.
export { createOperator } from './create-operator.js'
export type { Operator } from './operator.js'
export type { OperatorOptions } from './operator-options.js'
export { defineKind } from './kind/define/define-kind.js'
export { k } from './kind/k/k.js'
export type { ObjectOf } from './kind/define/kind.js'
export { crdOf } from './kind/definition/crd-of.js'
export { controller } from './engine/controller.js'
export { type ControllerOptions, requeue } from './controller/definition.js'
export type { ContextOf } from './controller/context.js'
export { optional, owned } from './controller/owned.js'
export { byLabel, watch } from './controller/watch.js'

// More about controllers: watches, predicates, adoption, scopes, permissions.
export type { ControllerDefinition, ControllerDefinitions } from './engine/controller.js'
export type { ReconcileReturn } from './controller/definition.js'
export type { Owned, OwnedOptions } from './controller/owned.js'
export { byField, type KeyMapper, type Watched, type WatchOptions } from './controller/watch.js'
export {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  type Predicate,
} from './controller/predicate.js'
export type { Adoption } from './apply/apply-request.js'
export type { KindScope, Scope } from './controller/scope.js'
export type { ControllerPermission } from './controller/controller-permission.js'

// The arguments of a run, and the clusters that it reaches.
export type {
  ApplyOptions,
  ClusterAccess,
  ControllerContext,
  DeletedContext,
  ObjectEvents,
  SharedFields,
  SomeFields,
  StatusOf,
} from './controller/context.js'
export type { CachedObjects } from './controller/cached-objects.js'
export type {
  ConditionType,
  DeclaredObjects,
  DeclaredResource,
  NoObject,
  NotDeclared,
  NotOwned,
  ObjectOfEach,
  ObjectsOf,
  OwnedResource,
} from './controller/declared-kinds.js'
export type { Condition, ConditionStatus } from './status/conditions.js'
export type { ClusterAddress } from './operator-options.js'

// Things outside of Kubernetes that a controller makes.
export type { Effect, EffectContext, Effects, Thing, Things } from './effect/effect.js'

// More about kinds: their parts, and the schemas of `k`.
export type {
  Column,
  ConditionOf,
  CustomObject,
  InputOf,
  Kind,
  KindOptions,
  ManagedStatus,
  NameLimits,
  NoFields,
  ParseResult,
  ProblemCondition,
  Scale,
} from './kind/define/kind.js'
export type { ConditionDeclaration, KindCondition } from './kind/define/condition.js'
export type { OneOf, PodTemplate, RecordOptions } from './kind/k/objects.js'
export type { PodTemplateOptions } from './kind/k/pod-template.js'
export type { RuleOptions } from './kind/k/rules.js'
export type { Int64Options, IntOrStringOptions } from './kind/k/scalars.js'
export type { CelReason, CelRule, JsonSchema } from './kind/schema/json-schema.js'
export { InvalidKindError, type KindProblem } from './kind/schema/problem.js'

// Definitions, rules and versions of kinds.
export type { AnyKind, CrdOptions } from './kind/definition/crd-of.js'
export { type ComparisonOptions, compareDefinitions } from './kind/definition/compare-definitions.js'
export type { DefinitionDifference } from './kind/definition/definition-difference.js'
export { type RuledVersion, type RuledVersions, ruleProblems } from './kind/rules/rule-problems.js'
export type { KindVersion, KindVersions, VersionSchema } from './kind/define/kind.js'
export { convertObject, type VersionedObject } from './kind/conversion/convert-object.js'
export type { ConvertibleKind } from './kind/conversion/kind-converter.js'

// Webhooks: defaulting, validation and conversion.
export type {
  AdmissionStore,
  DefaultContext,
  FieldProblem,
  RequestUser,
  ValidateContext,
} from './kind/define/admission.js'
export {
  type Admission,
  type AdmissionOperation,
  type AdmissionOptions,
  admission,
  type WebhookKind,
} from './webhook/admission.js'
export type { WebhookOptions } from './webhook/webhook-options.js'
export {
  type WebhookConfigurationOptions,
  webhookConfigurations,
  webhookConversion,
} from './webhook/webhook-configurations.js'
export type { WebhookEndpoint } from '../engine/webhook/configuration/client-config.js'
export type { WebhookConfiguration } from '../engine/webhook/configuration/webhook-configuration.js'
