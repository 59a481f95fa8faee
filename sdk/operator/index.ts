// The public names of vcluster-plugin-sdk/operator, in a reader's order.

// A program of controllers.
export { createOperator } from './create-operator.js'
export type { Operator } from './operator.js'
export type { ClusterAddress, OperatorOptions } from './operator-options.js'

// A kind of your own, and a controller for its objects.
export { defineKind } from './kind/define/define-kind.js'
export { k } from './kind/k/k.js'
export { type AnyKind, crdOf, type CrdOptions } from './kind/definition/crd-of.js'
export type { InputOf, ObjectOf } from './kind/define/kind.js'
export { type ControllerDefinition, type ControllerDefinitions, controller } from './engine/controller.js'
export { type ControllerOptions, type ReconcileReturn, requeue } from './controller/definition.js'
export { type Owned, type OwnedOptions, optional, owned } from './controller/owned.js'
export {
  byField,
  byLabel,
  type KeyMapper,
  type Watched,
  type WatchOptions,
  watch,
} from './controller/watch.js'
export {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  type Predicate,
} from './controller/predicate.js'

// The arguments of a run.
export type { CachedObjects } from './controller/cached-objects.js'
export type {
  ApplyOptions,
  ClusterAccess,
  ContextOf,
  ControllerContext,
  DeletedContext,
  ObjectEvents,
  SharedFields,
  SomeFields,
  StatusOf,
} from './controller/context.js'
export type { Condition, ConditionStatus } from './status/conditions.js'

// Things outside of Kubernetes that a controller makes.
export type { Effect, EffectContext, Effects, Thing, Things } from './effect/effect.js'

// More about kinds: schemas, rules, versions, definitions.
export type { OneOf, PodTemplate, RecordOptions } from './kind/k/objects.js'
export type { PodTemplateOptions } from './kind/k/pod-template.js'
export type { RuleOptions } from './kind/k/rules.js'
export type { Int64Options, IntOrStringOptions } from './kind/k/scalars.js'
export type { CelReason, CelRule, JsonSchema } from './kind/schema/json-schema.js'
export type { ConditionDeclaration, KindCondition } from './kind/define/condition.js'
export { compareDefinitions } from './kind/definition/compare-definitions.js'
export type { DefinitionDifference } from './kind/definition/difference.js'
export {
  type RuledVersion,
  type RuledVersions,
  ruleProblems,
} from './kind/rules/rule-problems.js'
export { convertObject, type VersionedObject } from './kind/conversion/convert-object.js'
export type { ConvertibleKind } from './kind/conversion/kind-converter.js'
export type { DefaultContext, FieldProblem, ValidateContext } from './kind/define/admission.js'
export type {
  Column,
  CustomObject,
  Kind,
  KindOptions,
  KindVersion,
  KindVersions,
  ManagedStatus,
  NameLimits,
  NoFields,
  ParseResult,
  ProblemCondition,
  Scale,
  VersionSchema,
} from './kind/define/kind.js'
export { InvalidKindError, type KindProblem } from './kind/schema/problem.js'

// More about controllers: adoption, scopes, permissions.
export type { ControllerPermission } from './controller/controller-permission.js'
export type { Adoption } from './apply/apply-request.js'
export type { KindScope, Scope } from './controller/scope.js'

// Webhooks: defaulting, validation and conversion.
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
export type { AdmissionStore, RequestUser } from './kind/define/admission.js'
