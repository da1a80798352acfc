import type { Datasource } from '@citewell/sdk';
import { Image, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { client } from '../../client.js';
import { ErrorNotice } from '../../components/error-notice.js';

/** The picture that a document is. */
export function PictureView({ datasource }: { datasource: Datasource }): ReactNode {
  const picture = useQuery({
    queryKey: ['picture', datasource.id],
    queryFn: async () => {
      const { stream } = await client.datasources.file(datasource.id);
      return new Response(stream, { headers: { 'Content-Type': datasource.mimeType ?? '' } }).blob();
    },
    staleTime: Infinity,
    gcTime: 60_000,
    structuralSharing: false,
  });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!picture.data) return undefined;
    const created = URL.createObjectURL(picture.data);
    setAddress(created);
    return () => URL.revokeObjectURL(created);
  }, [picture.data]);
  if (picture.isError) return <ErrorNotice error={picture.error} onRetry={() => void picture.refetch()} />;
  if (address === undefined) return <Skeleton h={640} maw={820} />;
  return <Image src={address} alt={datasource.name} w="auto" maw="100%" />;
}
