export function roomTable(): string;
export function withRoomTable(page: string): string;
