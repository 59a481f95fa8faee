/** The addresses that may use a load balancer; a part of `validateService` of Kubernetes v1.36.3. */
import type { OpenObject } from '../../base/object.js'
import { type FieldError, forbiddenValue } from '../../validation/field-error.js'
import { cidrRangeErrors } from '../cidr-errors.js'
import { specOf } from './spec.js'

const annotation = 'service.beta.kubernetes.io/load-balancer-source-ranges'

/** The errors of the ranges in the spec, or in an annotation if the spec has none. Existing ones may be invalid. */
export function sourceRangeErrors(service: OpenObject, old: OpenObject | undefined): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [] } = specOf(service)
  if (ranges.length === 0) return annotationErrors(service, old)
  const path = 'spec.LoadBalancerSourceRanges'
  const oldRanges = old === undefined ? [] : (specOf(old).loadBalancerSourceRanges ?? [])
  const allowed = new Set(oldRanges.map((range) => range.trim()))
  const errors = ranges.flatMap((range, index) =>
    allowed.has(range.trim()) ? [] : cidrRangeErrors(`${path}[${index}]`, range.trim()),
  )
  return [...typeErrors(service, path), ...errors]
}

function annotationErrors(service: OpenObject, old: OpenObject | undefined): FieldError[] {
  const field = `metadata.annotations[${annotation}]`
  const text = service.metadata.annotations?.[annotation]
  if (text === undefined) return []
  const isKept = text === old?.metadata.annotations?.[annotation]
  const ranges = isKept || text.trim() === '' ? [] : text.split(',')
  return [...typeErrors(service, field), ...ranges.flatMap((range) => cidrRangeErrors(field, range.trim()))]
}

function typeErrors(service: OpenObject, field: string): FieldError[] {
  if (specOf(service).type === 'LoadBalancer') return []
  return [forbiddenValue(field, "may only be used when `type` is 'LoadBalancer'")]
}
