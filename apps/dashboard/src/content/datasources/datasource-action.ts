import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../client.js';

/** Reads a datasource again, stops its run, or deletes it. The lists are read again afterwards. */
export function useDatasourceAction(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (action: 'sync' | 'cancel' | 'delete') => client.datasources[action](id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['datasources'] }),
  });
}
