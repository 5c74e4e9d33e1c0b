export { byPlace, bySeverity, plural, tally, type Tally } from './diagnostics';
export { afterKey } from './listKeys';
export { isExecuted } from './executed';
export { applied } from './fixes';
export { byteProgress, capital, countProgress, formatAgo, formatBytes, formatDay, formatExact, formatNumber, lazy, tildePath, typeset } from './format';
export { matchText, pieces, queryWords, type Match, wordsAt } from './textMatch';
export { JsonDocument, type TextSource } from './jsonDocument.svelte';
export { type JsonPath, withItem, withMoved, withValue } from './jsonEdit';
export { type JsonDialect, type JsonProblem, parseJson, readObject, STRICT, WITH_COMMENTS } from './jsonParse';
export { isExecutable, isTemplate, KIND_NAMES, kindOf, KINDS } from './kinds';
export { type NumberField, NumberSetting, rangeOf, defaultOf } from './numberSetting.svelte';
export { typedNumber } from './typedNumber';
export { CODE_SIZES, MAX_FONT_CHARS, Preferences, TAB_SIZES } from './preferences.svelte';
export { baseName, decodedTarget, defaultPath, extensionOf, folderOf, kindForPath, pathFrom, pathProblem, slugify } from './paths';
export {
  type DemoChange, demoChanges, formatGain, formatScore, limitLabel, METRIC_LABELS, metricLabel, notBetter, type Optimization, type PredictorState, type ProgramState, readOptimization,
  readState, type Scores, statePathOf, stopReason, TEMPLATE_IDS,
} from './program';
export { CHANGE_LABELS, LIFECYCLE_LABELS, ORIGIN_LABELS, SOURCE_LABELS, TRUST_LABELS } from './skillLabels';
export { fieldsOf, labelOf, type ListField, type ObjectField, parseField, type SchemaField, treeOf, type TreeField, valueProblem } from './schema';
export { cantRun, type LogTail, NO_LOG, tracebackLines, withPiece } from './script';
export { asJson, costOf, formatMs, formatTokens, formatUsd, type TokenUsage, STATUS_LABELS, type UsageTotal, sumOf, tokensOf, useOf } from './usage';
export { asName, nameProblem, readSignature, type Side, type Signature, type SignatureField, signatureProblem, typeProblem, COMMON_TYPES, writeSignature } from './signature';
export { proposedPaths } from './composition';
export { isRecord } from './record';
