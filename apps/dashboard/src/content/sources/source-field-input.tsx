import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts, useTranslator } from '../../messages/messages.js';
import { useScheduleChoices } from './schedule-words.js';
import { type FieldValue, type SourceField } from './source-fields.js';

/** The input of one field of a source. Its label is that of the kind, else of the name. */
export function SourceFieldInput({
  kind,
  field: { name, input, isRequired, choices, description },
  value,
  isDisabled,
  onChange,
}: {
  kind: string;
  field: SourceField;
  value: FieldValue;
  isDisabled: boolean;
  onChange: (value: FieldValue) => void;
}): ReactNode {
  const { textOr } = useTexts('sources');
  const { text } = useTranslator();
  const schedules = useScheduleChoices();
  const isOption = name.startsWith('options.');
  const ownName = isOption ? name.slice('options.'.length) : name;
  const hint = textOr(`hint.${kind}.${name}`, textOr(`hint.${name}`, ''));
  const label = textOr(`field.${ownName}`, ownName);
  // Options are described by the server alone. Some say no more than the label.
  const described = description === `${label}.` ? undefined : <span lang="en">{description}</span>;
  const common = {
    label,
    description: isOption ? described : hint || undefined,
    required: isRequired,
    disabled: isDisabled,
  };
  const onText = ({ currentTarget }: { currentTarget: { value: string } }): void =>
    onChange(currentTarget.value);
  const shown = String(value);
  switch (input) {
    case 'switch':
      return (
        <Switch
          label={common.label}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={shown}
          allowDecimal={false}
          onChange={(number) => onChange(String(number))}
        />
      );
    case 'lines':
    case 'long':
      return <Textarea {...common} value={shown} onChange={onText} autosize />;
    case 'choice':
      return (
        <Select
          {...common}
          data={Object.entries(choices).map(([choice, label]) => ({
            value: choice,
            label: textOr(`choice.${choice}`, label),
          }))}
          value={shown === '' ? null : shown}
          clearable={!isRequired}
          allowDeselect={false}
          searchable={Object.keys(choices).length > 10}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      );
    case 'schedule': {
      const isKnown = schedules.some((schedule) => schedule.value === shown);
      return (
        <Select
          label={text('add.schedule')}
          data={isKnown ? schedules : [...schedules, { value: shown, label: shown }]}
          value={shown}
          allowDeselect={false}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      );
    }
    case 'date':
    case 'text':
      return <TextInput {...common} type={input} value={shown} onChange={onText} />;
  }
}
