import type { ReactNode } from 'react';

/** Small pictures for buttons whose name is told beside them or by their label. */

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden
      width="14"
      height="14"
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.3"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

export const ColumnsIcon = () => (
  <Icon>
    <rect x="1.5" y="2" width="11" height="10" rx="1.5" />
    <path d="M5.2 2v10M8.8 2v10" />
  </Icon>
);

export const GroupIcon = () => (
  <Icon>
    <path d="M1.5 2.5h11M4.5 5.5h8M4.5 8.5h8M1.5 11.5h11" />
  </Icon>
);

export const SearchIcon = () => (
  <Icon>
    <circle cx="6" cy="6" r="4" />
    <path d="m9 9 3.5 3.5" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="M1.5 4l1.3 1.3L5 2.8M1.5 9.8l1.3 1.3L5 8.6M7.5 4.2h5M7.5 10h5" />
  </Icon>
);
