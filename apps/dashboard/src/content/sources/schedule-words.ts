import { useTexts, useTranslator } from '../../messages/messages.js';
import { DEFAULT_SCHEDULE } from './source-fields.js';

/** The words of each schedule that forms offer. */
export function useScheduleChoices(): { value: string; label: string }[] {
  const sources = useTexts('sources');
  const { text } = useTranslator();
  return [
    { value: DEFAULT_SCHEDULE, label: sources.text('schedule.quarterly') },
    { value: '@hourly', label: sources.text('schedule.hourly') },
    { value: '@daily', label: text('add.schedule.daily') },
    { value: '@weekly', label: text('add.schedule.weekly') },
    { value: '', label: text('add.schedule.never') },
  ];
}

/** Words for the schedule of a configuration. One that only the API can set is shown as it is. */
export function useScheduleWords(): (schedule: unknown) => string {
  const choices = useScheduleChoices();
  return (schedule) => {
    const value = typeof schedule === 'string' ? schedule : '';
    return choices.find((choice) => choice.value === value)?.label ?? value;
  };
}
